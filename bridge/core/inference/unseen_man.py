"""Men put down where the board sees nothing: where they stand is guessed, and put right later."""

import math
from collections.abc import Iterable, Iterator

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.findings import Ambiguous
from bridge.core.inference.hands import in_hand
from bridge.core.inference.hypotheses import Node, Stage, likeliest, plies_of
from bridge.core.inference.lines import lines_to
from bridge.core.inference.noise import Noisy, noisy_moves
from bridge.core.inference.patience import verdict_at
from bridge.core.inference.placement import BIT, EMPTY, occupied, way, with_changes
from bridge.core.inference.plausible import loses
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight

UNSEEN_MAN = 4.5
"""What it may cost that a man stands where the board sees nothing."""
PLIES_BEYOND = 2
"""Plies that may have been made since, one of which tells where the man stood."""
PLIES_SHOWN_IN = 12
"""Plies after which one who was taken unseen is not looked for any more."""
ALIVE = 3.0
"""The same of a square that has shown a man before ..."""
ASTRAY = 3.5
"""... so much more of one to which he did not come by the square that showed him last for a moment,
..."""
SEEN_THERE = 2.0
"""... and so much less of the one on which he rested until the clock was pressed."""


def take_unseen_man(course: Course, at: float) -> bool:
    """A man was put down where the board sees nothing: later play tells where."""
    chain, sight = course.chain, course.sight
    begun = chain.head.since - course.timing.in_hand  # who had left before made no move since
    found = [
        noisy
        for noisy in noisy_moves(chain.head, sight, chain.theirs)
        if noisy.cost <= UNSEEN_MAN and noisy.wrong & BIT[noisy.move.to_square]
        if sight.changed[noisy.move.from_square] > begun
    ]
    if not found or _was_taken_elsewhere(course, found):
        return False
    nodes, squares = [], 0
    seen = _left_as_pressed(course, found)
    for noisy in found:
        nodes.append(_node_of(noisy, sight, seen, _passed(noisy, sight)))
        squares |= noisy.wrong
    own = found[0].node.position.change(found[0].move)
    sight.blindfold(squares)
    stage = Stage(likeliest(nodes), own, sight.last_change(own))
    moves = tuple(node.move for node in stage.nodes if node.move is not None)
    course.story.tell(Ambiguous(course.position.board, moves))
    chain.shown = [stage]
    course.guess(stage.best)
    return course.settle("press", "the clock was pressed; its man is not seen", at)


def _was_taken_elsewhere(course: Course, found: list[Noisy]) -> bool:
    """Whether the man stood where he may not go as his player pressed, and was taken there since.

    Somebody of the opponent's stands there now. Then his move was illegal, and was played on.
    """
    sight, pressed = course.sight, course.pressed
    if pressed is None:
        return False
    stood = [cells for at, cells in sight.since(course.chain.head.since) or [] if at <= pressed]
    if not stood:
        return False
    settled, theirs = course.position, str.islower if course.position.board.turn else str.isupper
    men = {settled.cells[noisy.move.from_square] for noisy in found}
    return any(
        man in men and settled.shown[at] != man and theirs(sight.shown[at])
        for at, man in enumerate(stood[-1])
    )


def _left_as_pressed(course: Course, found: list[Noisy]) -> int:
    """Return the square on which the man rested until the clock was pressed, if there is one."""
    sight, pressed = course.sight, course.pressed
    since = math.inf if pressed is None else pressed - course.timing.still
    last = max((noisy.move.to_square for noisy in found), key=lambda to: sight.emptied[to])
    if sight.emptied[last] <= since:
        return 0
    rested = sight.rested[last] >= course.timing.shown
    return BIT[last] if rested else 0


def _node_of(noisy: Noisy, sight: Sight, seen: int, passed: int) -> Node:
    """Return the ply that *noisy* makes.

    Its man rested on *seen* until the clock was pressed, and was shown last on *passed*.
    """
    node, move = noisy.node.then(noisy.move), noisy.move
    node.cost = noisy.cost + (ALIVE if sight.alive & node.target else 0.0)
    node.cost -= (ALIVE + SEEN_THERE) if seen & node.target else 0.0
    node.cost += loses(noisy.node.position.board, move)
    node.cost += ASTRAY if passed & ~(way(move) | node.target) else 0.0
    return node


def _passed(noisy: Noisy, sight: Sight) -> int:
    """Return the square on which the man of *noisy* was shown last since he left, with a name.

    A hand need not carry him straight: where it came by before tells nothing.
    """
    position, origin = noisy.node.position, noisy.move.from_square
    if position.sensing != "identity":
        return 0
    empty = chess.BB_ALL & ~(position.board.occupied | occupied(sight.shown))
    passed = sight.left_by(position.shown[origin], empty, sight.changed[origin])
    last = max(chess.scan_forward(passed), key=lambda square: sight.emptied[square], default=None)
    return 0 if last is None else BIT[last]


def was_taken_unseen(course: Course, node: Node, following: Node, since: float) -> bool:
    """Whether *following* took the man of *node*, who may stand elsewhere: he was not seen there.

    Nor was one like him after *since*. Men must have names.
    """
    move, reply, before = node.move, following.move, node.parent
    if not course.named or move is None or reply is None or before is None:
        return False
    man = node.position.cells[move.to_square]
    seen = course.sight.since(since)
    if seen is None or node.target != following.target:
        return False
    if any(men[move.to_square] == man for _, men in seen):
        return False
    moves = before.position.board.generate_legal_moves(BIT[move.from_square], ~node.target)
    return any(before.position.after(other).board.is_legal(reply) for other in moves)


def find_unseen_man(course: Course, at: float) -> bool:
    """Put right a settled move whose man, put down unseen, stands on another square.

    It is seen there now, or another man stands where it was thought to be, or it went on as it
    can only from there: not from where it was thought to be. If it stands where it came from, the
    move is withdrawn.
    """
    if not course.guessed:
        return False
    course.guessed = [guess for guess in course.guessed if _is_still_open(course, guess)]
    if course.chain.match == 0:
        return False
    if course.named and _is_shown_at_last(course, at):
        return True
    if course.chain.match is not None:
        return False
    if not course.due(course.sight.changed_at + course.timing.gap, at):
        return False
    if (base := _put_back_to(course)) is not None:
        return _withdraw(course, base, at)
    taken = _may_be_taken(course, at)
    if course.tried.sought > taken:
        return False
    course.tried.sought = 1 + taken
    told = course.story.head
    for number, guess in enumerate(course.guessed):
        refuted = _is_refuted(course, guess)
        found = [
            (ply, head)
            for ply, head in _elsewhere(told, guess)
            if (refuted and _may_stand_on(course, guess, ply.target))
            or _explains(course, guess, ply, head, taken=taken)
        ]
        if len(found) == 1 and (refuted or not _explains(course, guess, guess, told, taken=taken)):
            course.guessed[number], head = found[0]
            _put_right(course, course.guessed[number], head, at)
            return True
    return False


def _is_still_open(course: Course, guess: Node) -> bool:
    """Whether nothing was seen yet of where the man of *guess* stands.

    If he is shown where he is taken to be, the readings that have him elsewhere are dropped: when
    he is taken up from there, they would explain it by a man who was never there. If all have him
    elsewhere he went on from there, or was taken, and it is another one who is shown.
    """
    square, head = chess.lsb(guess.target), course.chain.head
    man = guess.position.shown[square]
    if course.named and _is_seen_alone(course, guess, guess.target):
        there = [node for node in head.nodes if node.position.shown[square] == man]
        head.nodes = there or head.nodes
    return _is_open(course, guess)


def _is_shown_at_last(course: Course, at: float) -> bool:
    """Put a guess right whose man is shown for a moment on one of his squares, whatever else moves.

    All others of his kind stand where they did, so that it is he. When it is his player's turn
    again he may as well make his next move. If a reply is shown, it follows only from there.
    """
    sight, told = course.sight, course.story.head
    reply = [node.parent for stage in course.chain.shown[:1] for node in stage.nodes]
    if course.chain.head.best in reply:
        return False
    for number, guess in enumerate(course.guessed):
        if course.position.board.turn != guess.position.board.turn:
            continue
        if not _is_seen_anywhere(course, guess):
            continue
        found = [
            (ply, head)
            for ply, head in _elsewhere(told, guess)
            if _is_seen_alone(course, guess, ply.target)
        ]
        if len(found) != 1 or not course.due(
            sight.last_change(found[0][0].target) + course.timing.still, at
        ):
            continue
        course.guessed[number], head = found[0]
        _put_right(course, course.guessed[number], head, at)
        return True
    return False


def _is_seen_anywhere(course: Course, guess: Node) -> bool:
    """Whether the man of *guess*, or one like him, is shown where none is settled."""
    shown, settled = course.sight.shown, course.position.shown
    man = guess.position.shown[chess.lsb(guess.target)]
    return any(there == man != was for there, was in zip(shown, settled, strict=True))


def _is_seen_alone(course: Course, guess: Node, square: int) -> bool:
    """Whether the man of *guess* came to be shown on *square*, and others of his kind stand."""
    sight, settled = course.sight, course.position.shown
    man = guess.position.shown[chess.lsb(guess.target)]
    if sight.shown[chess.lsb(square)] != man or sight.last_change(square) <= guess.at:
        return False
    others = (at for at in chess.SQUARES if settled[at] == man and not BIT[at] & guess.target)
    return all(sight.shown[at] == man for at in others)


def _is_refuted(course: Course, guess: Node) -> bool:
    """Whether another man of its player's is shown where the man of *guess* was thought to stand.

    Nobody takes his own man, whatever the move was: that square sees who is there. He may have
    taken back there since.
    """
    square = chess.lsb(guess.target)
    man, there = guess.position.shown[square], course.sight.shown[square]
    if not course.named or there in (man, course.position.shown[square]):
        return False
    return there.isalpha() and there.isupper() == man.isupper()


def _may_stand_on(course: Course, guess: Node, squares: int) -> bool:
    """Whether the man of *guess* is shown on *squares*, or nobody, so that he may stand there."""
    square = chess.lsb(squares)
    return course.sight.shown[square] in (EMPTY, guess.position.shown[chess.lsb(guess.target)])


def _put_back_to(course: Course) -> Node | None:
    """Return the ply before the last one, if that was guessed and the board shows it again."""
    last = course.story.head
    if last.parent is None or not course.is_guess(last):
        return None
    return None if course.sight.differs(last.parent.position.shown) else last.parent


def _withdraw(course: Course, base: Node, at: float) -> bool:
    """Go on from *base* once the man of the ply after it has stood there for a while."""
    if not course.due(course.sight.changed_at + course.timing.verdict, at):
        return False
    course.sight.blind &= ~course.story.head.target
    course.chain.shown = []
    why = "its man stands again where it came from"
    course.move_head(Stage([base], 0, base.since), base.basis, why, at, why=why)
    return True


def _may_be_taken(course: Course, at: float) -> bool:
    """Whether the man that has gone may have taken one who stands unseen: its player pressed."""
    pressed = course.pressed
    if course.named or pressed is None or not in_hand(course):
        return False
    return course.due(verdict_at(course, pressed), at)


def _is_open(course: Course, guess: Node) -> bool:
    """Whether nothing was seen yet of where the man of *guess* stands.

    Who was taken by the next ply, where nobody saw him, may show up elsewhere for a while.
    """
    head = course.story.head
    if guess.move is None or head.ply < guess.ply:
        return guess.move is not None
    target = guess.move.to_square
    guess.kept = guess.position  # which is asked for all the time
    taken = head.ply > guess.ply and head.at_ply(guess.ply + 1).target == guess.target
    if course.named and taken:
        return head.ply <= guess.ply + PLIES_SHOWN_IN
    man = guess.position.shown[target]
    return course.position.shown[target] == man != course.sight.shown[target]


def _elsewhere(head: Node, guess: Node) -> Iterator[tuple[Node, Node]]:
    """Return the other squares to which the man of *guess* may have gone, as plies.

    With each comes where play has come to then, instead of to *head*.
    """
    node = head.at_ply(guess.ply)
    following = [each.move for each in plies_of(head, node) if each.move is not None]
    base = node.parent
    if base is None or node.move != guess.move or node.move is None:
        return
    position = base.position  # played again each time it is asked for, if it was not kept
    for move in position.board.generate_legal_moves(BIT[node.move.from_square]):
        ply = Node(base, move, position.after(move))
        if move != node.move and (played := _played(ply, following)) is not None:
            yield ply, played


def _played(node: Node, moves: Iterable[chess.Move]) -> Node | None:
    """Return where *moves* lead from *node*, or None if they cannot be played."""
    for move in moves:
        if not node.position.board.is_legal(move):
            return None
        node = node.then(move)
    return node


def _explains(course: Course, guess: Node, ply: Node, head: Node, *, taken: bool) -> bool:
    """Whether what is shown follows from *head*, to which *ply* led instead of *guess*.

    The man is seen, or it moved on, or another one moved to where it was thought to be, or, if it
    may be *taken*, to where it stands.
    """
    sight, position = course.sight, head.position
    excused = sight.excused & ~(guess.target | ply.target)
    told = [(square, position.shown[square]) for square in chess.scan_forward(excused)]
    shown = with_changes(sight.shown, told)
    square = chess.lsb(ply.target)
    if shown[square] == ply.position.shown[square]:
        return any(lines_to(position, shown, plies) for plies in range(PLIES_BEYOND + 1))
    hidden = ply.target & ~occupied(shown)
    seen = with_changes(shown, [(at, position.shown[at]) for at in chess.scan_forward(hidden)])
    target = guess.target | (ply.target if taken else 0)
    for plies in range(PLIES_BEYOND + 1):
        went_on = _in_lines(position, shown, plies, origin=ply.target)
        if went_on or _in_lines(position, seen, plies, target=target):
            return True
    return False


def _in_lines(
    position: Position, shown: str, plies: int, *, origin: int = 0, target: int = 0
) -> bool:
    """Whether a line to what is *shown* has a move from *origin* or to *target*, or no move."""
    return any(
        not line or any(BIT[m.from_square] & origin or BIT[m.to_square] & target for m in line)
        for line in lines_to(position, shown, plies)
    )


def _put_right(course: Course, ply: Node, head: Node, at: float) -> None:
    """Go on from *head*, where the man of *ply* stands where it must."""
    chain, sight = course.chain, course.sight
    sight.blindfold(ply.target & ~occupied(sight.shown))
    chain.shown = []
    why = "what is shown since tells where its man stands"
    stage = Stage([head], 0, chain.head.since)
    if head is ply:
        course.move_head(stage, course.story.head.basis, why, at, why=why)
    else:
        course.move_head(stage, "gap", why, at, more=1, why=why)
