"""What happens at simulated tables, and how often: the profiles *clean*, *club* and *chaos*.

Where the rates come from. **Recorded**: games recorded from real boards (25 of 199 plies were
captures that never showed an empty square; every reply began after the press, the press came
about half a second after the piece stood). **Electronics**: the protocol sheets of boards (a scan
takes 200 to 250 ms, the clock is read once a second). **Judged**: nobody has counted these;
*club* has what a club evening shows of each, *chaos* three to twenty times as much.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from drivers.simulated.hands import Span, Style


@dataclass(frozen=True, kw_only=True)
class Tempo:
    """How fast a game is played.

    Thinking times follow a log-normal distribution, as recorded clock times roughly do:
    *think* is the median (s), *spread* the standard deviation of the logarithm.
    """

    base: int
    increment: int
    think: float
    spread: float
    longest: float


BLITZ = Tempo(base=180, increment=2, think=1.6, spread=0.8, longest=12.0)
RAPID = Tempo(base=900, increment=10, think=5.0, spread=0.9, longest=60.0)
CLASSICAL = Tempo(base=5400, increment=30, think=15.0, spread=1.0, longest=400.0)


@dataclass(frozen=True, kw_only=True)
class Mishaps:
    """What hands do besides moving: chances per ply; ``illegal`` is per game.

    Attributes:
        adjust: a piece is lifted and put back on its square.
        touch: another own piece is taken, thought about and put back.
        hesitation: the piece rests on another legal square for ``hesitating`` seconds and then
            goes on or returns.
        take_back: another legal move is made, seen to be bad and taken back before the press.
        slip: the piece stands on an illegal square for a moment; put right before the press.
        wobble: the piece is set down over the border of two squares.
        knock: one to three pieces are knocked over and put back, some first elsewhere.
        early_reply: the opponent's hand begins before the press.
        overlap: the opponent has his piece in the hand before the last piece has come to rest.
        fast_reply: the reply begins within 0.3 s of the press.
        early_press: the clock is pressed while the hand is still on the board.
        late_press: the clock is pressed seconds later, perhaps after the reply.
        forgotten_press: neither this press nor the one after it happens.
        illegal: completed illegal moves per game.
        stands: share of these that nobody notices.
        arbiter: share of the others that an arbiter puts right with the clock stopped; the
            opponent presses the clock back in the rest.
    """

    adjust: float = 0.0
    touch: float = 0.0
    hesitation: float = 0.0
    take_back: float = 0.0
    slip: float = 0.0
    wobble: float = 0.0
    knock: float = 0.0
    early_reply: float = 0.0
    overlap: float = 0.0
    fast_reply: float = 0.0
    early_press: float = 0.0
    late_press: float = 0.0
    forgotten_press: float = 0.0
    illegal: float = 0.0
    stands: float = 0.2
    arbiter: float = 0.7
    hesitating: Span = (0.5, 2.5)


@dataclass(frozen=True, kw_only=True)
class Sensing:
    """The electronics of the board: how it scans, and faults per game.

    Attributes:
        scan_hz: slowest and fastest scan. USB boards scan at 4 to 5 Hz, over Bluetooth at half
            of it, newer ones at 10 Hz (electronics).
        event_driven: share of boards that report every change at once.
        batched: share of boards that report a scan as a whole.
        latency: from the reading of a square to the line in the stream (s).
        flicker: a standing piece reads empty for about a scan.
        dead_while: a square reads empty for 20 s to 5 minutes.
        dead: a square reads empty for the whole game, perhaps from the set-up on.
        misread: a piece reads as another one for 1 to 30 s.
        missed_scan: nothing is scanned for 0.4 to 1.5 s.
        link_loss: the link is down for 3 s to some minutes, with up to four plies in it.
    """

    scan_hz: Span = (4.0, 10.0)
    event_driven: float = 0.1
    batched: float = 0.3
    latency: Span = (0.005, 0.06)
    flicker: float = 0.0
    dead_while: float = 0.0
    dead: float = 0.0
    misread: float = 0.0
    missed_scan: float = 0.0
    link_loss: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Clocks:
    """How the clock reaches the stream.

    Attributes:
        at_once: share of boards that report a press at once, besides reading once a second.
        period: between two readings (s).
        latency: from a reading to its line (s). With ``period``, a press shows after 1.1 s at
            the latest.
        reversed: share of games with the clock turned round.
    """

    at_once: float = 0.0
    period: Span = (1.0, 1.0)
    latency: Span = (0.0, 0.1)
    reversed: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Proceedings:
    """What happens around the game: chances per game.

    Attributes:
        rotated: White sits in the other seat.
        wrong_setup: the pieces stand wrong at first and are corrected before the start.
        set_up: the first game is set up while the board is watched.
        gesture: the kings tell a result that was not mate or stalemate.
        cleared: some other pieces are taken off the board before the kings are placed.
        analysis: the players analyse after a result was shown.
        packed: the pieces go into the box after the last game.
        another: a further game of those given is played on the same board.
    """

    rotated: float = 0.05
    wrong_setup: float = 0.0
    set_up: float = 0.0
    gesture: float = 0.6
    cleared: float = 0.0
    analysis: float = 0.0
    packed: float = 0.0
    another: float = 0.0


_HANDS = Style(
    # Recorded: 25 of 199 plies were captures in which no empty square was seen; a scan takes
    # 0.22 s, so most captures are swaps.
    captures={"victim first": 0.3, "attacker first": 0.2, "swap": 0.5},
    castlings={"king first": 0.7, "rook first": 0.12, "both": 0.18},
    # Recorded: the pawn taken en passant goes up to a second later.
    en_passant_late=0.6,
    carry_off=0.15,
    slide=0.3,
    # Recorded: the press comes about half a second after the piece stands.
    dwell=(0.15, 0.9),
)
_HASTY = Style(
    travel=(0.12, 0.6),
    regrip=(0.1, 0.6),
    swap=(0.03, 0.2),
    dwell=(0.1, 0.9),
    ghost=(0.03, 0.4),
    dawdling=(0.8, 5.0),
    slide=0.45,
    carry_off=0.3,
    dawdle=0.2,
    en_passant_late=0.6,
    exchange_promoted=0.6,
    captures={"victim first": 0.3, "attacker first": 0.25, "swap": 0.45},
    castlings={"king first": 0.5, "rook first": 0.25, "both": 0.25},
)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One kind of table; everything is drawn from it by a seed."""

    name: str
    hands: Style
    mishaps: Mishaps = Mishaps()
    sensing: Sensing = Sensing()
    clocks: Clocks = Clocks()
    proceedings: Proceedings = Proceedings()
    tempos: Mapping[Tempo, float] = field(
        default_factory=lambda: {BLITZ: 0.4, RAPID: 0.4, CLASSICAL: 0.2}
    )


CLEAN = Profile(name="clean", hands=_HANDS, clocks=Clocks(at_once=0.2))
"""Careful players on a healthy board: slides, captures in all orders, every press; nothing else."""

CLUB = Profile(
    name="club",
    hands=replace(_HANDS, dawdle=0.05, exchange_promoted=0.5),
    # Judged: a few of each in an evening of some 80 plies a game.
    mishaps=Mishaps(
        adjust=0.02,
        touch=0.01,
        hesitation=0.025,
        take_back=0.004,
        slip=0.004,
        wobble=0.02,
        knock=0.004,
        early_reply=0.02,
        overlap=0.005,
        fast_reply=0.05,
        early_press=0.01,
        late_press=0.015,
        forgotten_press=0.004,
        illegal=0.12,
    ),
    # Judged, but for the forms: single drop-outs are common, lost squares and links are not.
    sensing=Sensing(
        flicker=2.0, dead_while=0.04, dead=0.01, misread=0.2, missed_scan=0.3, link_loss=0.1
    ),
    clocks=Clocks(reversed=0.04),
    proceedings=Proceedings(
        wrong_setup=0.06, set_up=0.2, cleared=0.2, analysis=0.3, packed=0.2, another=0.15
    ),
)
"""A club evening: a few of every normal disturbance."""

CHAOS = Profile(
    name="chaos",
    hands=_HASTY,
    # Judged: each three to twenty times the club's, so that several fall on one ply.
    mishaps=Mishaps(
        adjust=0.08,
        touch=0.06,
        hesitation=0.15,
        take_back=0.03,
        slip=0.03,
        wobble=0.1,
        knock=0.03,
        early_reply=0.1,
        overlap=0.04,
        fast_reply=0.15,
        early_press=0.05,
        late_press=0.06,
        forgotten_press=0.02,
        illegal=1.2,
        stands=0.15,
    ),
    sensing=Sensing(
        event_driven=0.15,
        flicker=20.0,
        dead_while=0.8,
        dead=0.06,
        misread=3.0,
        missed_scan=4.0,
        link_loss=0.8,
    ),
    clocks=Clocks(reversed=0.15),
    proceedings=Proceedings(
        rotated=0.2, wrong_setup=0.3, set_up=0.4, cleared=0.5, analysis=0.7, packed=0.3, another=0.3
    ),
    tempos={BLITZ: 0.6, RAPID: 0.3, CLASSICAL: 0.1},
)
"""Every disturbance many times a game; what was played is still what was played."""

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (CLEAN, CLUB, CHAOS)}
