"""How fast the DGT codec takes bytes, against a loop that only looks for messages."""

from collections.abc import Callable, Sequence

from benchmarks.report import Report, median_seconds, times
from benchmarks.wire import recorded_game, simulated_game
from drivers.boards.dgt import Dgt

BITS_A_BYTE = 10
BAUD = 9600


def measure(*, yard: float, passes: int = 60, rounds: int = 9) -> Report:
    """Decode a game *passes* times a round; *yard* is what the yardstick took (s)."""
    recorded = recorded_game()
    source = "a game recorded from a real USB board"
    if recorded is None:
        recorded = [message for _, message in simulated_game("immortal", seed=1)]
        source = "a simulated game (the recorded one is not beside the project)"
    stream = b"".join(recorded)
    size = len(stream) * passes
    single = [stream[at : at + 1] for at in range(len(stream))]

    def seconds(work: Callable[[], object]) -> float:
        return median_seconds(lambda: [work() for _ in range(passes)], rounds=rounds) / size

    plain = seconds(lambda: boundaries(stream))
    ways = (
        ("plain loop over the bytes", plain),
        ("codec, whole messages", seconds(lambda: decode(recorded))),
        ("codec, one byte at a time", seconds(lambda: decode(single))),
    )
    line = BAUD / BITS_A_BYTE
    return Report(
        f"Codec: {source}, {len(recorded)} messages, {len(stream)} bytes",
        ("how", "MB/s", "time / plain loop", "100 bytes / json.loads of 100", "lines at 9600 baud"),
        [
            (
                how,
                f"{1e-6 / t:.2f}",
                times(t, plain),
                times(100 * t, yard),
                f"{1 / t / line:.0f}",
            )
            for how, t in ways
        ],
        ("The plain loop counts bytes with bit 7 set, one by one, and decodes nothing.",),
    )


def boundaries(stream: bytes) -> int:
    """Count the messages of *stream* as plainly as Python can."""
    count = 0
    for byte in stream:
        if byte & 0x80:
            count += 1
    return count


def decode(chunks: Sequence[bytes]) -> int:
    """Return how many events a fresh codec finds in *chunks*."""
    codec = Dgt()
    found = 0
    for chunk in chunks:
        found += len(codec.receive(chunk, at=0.0))
    return found
