"""What to send to a Chessnut board, and when. Nothing beeps or moves men."""

from drivers.boards.chessnut.protocol import (
    GET_GAME,
    MCU_VERSION,
    PACE,
    RADIO_VERSION,
    REAL_TIME,
    STORED_GAMES,
    UPLOAD,
)
from drivers.codec import Outgoing
from drivers.pacing import Pacer

BATTERY_EVERY = 60.0


class Requests:
    """One line's outgoing side: a queue, and what falls due by itself once it was greeted.

    ``uploading``: positions are those of a stored game, from before the board is told to send it
    until it has said that this was its end.
    """

    def __init__(self, battery: bytes, restart_after: float) -> None:
        """Describe the board.

        Args:
            battery: asks for the battery.
            restart_after: seconds without a report after which reports are asked for again.
        """
        self.uploading = False
        self._battery = battery
        self._restart_after = restart_after
        self._pacer = Pacer(PACE)
        self._greeted = False
        self._counting = False

    def greet(self, at: float) -> None:
        """Queue the start-up sequence: reports first, because play may be going on."""
        self._greeted = True
        for command in (REAL_TIME, self._battery, MCU_VERSION, RADIO_VERSION):
            self._pacer.say(command)
        self._go_on(at)

    def ask_battery(self) -> None:
        """Queue the question for the battery."""
        self._pacer.say(self._battery)

    def ask_stored_game(self) -> None:
        """Ask how many games are stored; the answer decides whether one is uploaded."""
        self._counting = True
        self._pacer.say(STORED_GAMES)

    def show(self, message: bytes) -> None:
        """Have lamps lit, but not while a game is uploaded."""
        if not self.uploading:
            self._pacer.show(message)

    def counted(self, games: int) -> bool:
        """Note how many games are stored; return whether that was asked for.

        Nothing is uploaded of a number that nobody wanted to know.
        """
        wanted, self._counting = self._counting, False
        if wanted and games:
            for command in (UPLOAD, *GET_GAME):
                self._pacer.say(command)
        return wanted

    def reported(self, at: float) -> None:
        """Note a report of what stands on the board."""
        if self._greeted:
            self._pacer.every(self._restart_after, REAL_TIME, at=at + self._restart_after)

    def transferred(self) -> None:
        """Note that a stored game begins; one that was not asked for shall end."""
        if not self.uploading:
            self._pacer.say(REAL_TIME)
        self._wait_for_upload()

    def uploaded(self, at: float) -> None:
        """Note that the stored game has ended: the board is to report again."""
        self.uploading = False
        self._pacer.say(REAL_TIME)
        self._go_on(at)

    def next(self, at: float) -> Outgoing:
        """Return the command that is due at time *at*, and when the next one may be."""
        outgoing = self._pacer.next(at)
        if outgoing.data == UPLOAD:
            self._wait_for_upload()
        return outgoing

    def _go_on(self, at: float) -> None:
        """Ask for what does not come by itself from now on."""
        self._pacer.every(self._restart_after, REAL_TIME, at=at + self._restart_after)
        self._pacer.every(BATTERY_EVERY, self._battery, at=at + BATTERY_EVERY)

    def _wait_for_upload(self) -> None:
        """Ask nothing in between, which might disturb it; silence ends the link."""
        self.uploading = True
        self._pacer.no_more(REAL_TIME)
        self._pacer.no_more(self._battery)
