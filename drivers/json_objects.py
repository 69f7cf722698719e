"""Cuts a stream into JSON objects: blanks may stand between two, and nothing else."""

from drivers.framing import MORE, Measure

BEGIN = b"{"

_BLANKS = b" \r\n\t"
_ENDS = BEGIN + _BLANKS
"""What ends bytes that make no object: wherever they are cut, blanks are none of them."""
_NO_OBJECT = "no object begins here"


def measure_objects(begins: bytes) -> Measure:
    """Return what finds the end of an object.

    Where *begins* is met inside another object, that one was cut short and a message begins.
    """

    def measure(buffer: bytes) -> tuple[int, str]:
        rest = buffer.lstrip(_BLANKS)
        if len(rest) < len(buffer):
            return len(buffer) - len(rest), ""
        if not buffer.startswith(BEGIN):
            end = next((n for n, byte in enumerate(buffer) if byte in _ENDS), len(buffer))
            return end, _NO_OBJECT
        again, end = buffer.find(begins, 1), _end(buffer)
        if again > 0 and not 0 < end <= again:
            return again, "cut short by the next object"
        return (end, "") if end else MORE

    return measure


def _end(buffer: bytes) -> int:
    """Return the length of the object that *buffer* begins with; 0 if it is not complete."""
    depth, quoted, escaped = 0, False, False
    for n, byte in enumerate(buffer):
        sign = chr(byte)
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if not depth:
                return n + 1
    return 0
