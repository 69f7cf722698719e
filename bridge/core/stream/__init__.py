"""Board streams in, engine output lines out: the exchange format of ``eboard-bridge infer``.

One JSON object a line on both sides (``formats/board-stream``, version 1). Reading a stream
makes the same readings as a live board would; writing turns facts into the lines that the
outside world would have been told. Pure: text in, text out.
"""

from bridge.core.stream.inferring import AFTERTIME, infer
from bridge.core.stream.output import OutputWriter
from bridge.core.stream.reading import StreamError, StreamReader
from bridge.core.stream.setups import Setups

__all__ = ["AFTERTIME", "OutputWriter", "Setups", "StreamError", "StreamReader", "infer"]
