"""What decoding raises where bytes are not the JSON that is wanted."""

from typing import Final

import msgspec

NOT_JSON: Final = (msgspec.DecodeError, RecursionError, UnicodeError)
"""Not JSON or of another shape, nested deeper than can be followed, not UTF-8."""
