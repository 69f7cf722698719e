import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.capture import (
    BYTES_A_LINE,
    Capture,
    Record,
    format_header,
    format_record,
    parse,
)
from drivers.errors import CaptureError

EXAMPLE = """\
# Board: DGT USB board, firmware 3.1
# Driver: dgt
# Line: 9600 8N1
# Date: 2026-11-20
# Played: e4 e5 Nf3
# Notes: the white knight slid over f2
> 0.000 42
< 0.110 86 00 43 08
< 0.112 07 07

! 61.250 lost
! 64.900 opened
! 65.000 unit 08 01
< 65.010 86
"""


def test_the_parts_of_a_capture() -> None:
    capture = parse(EXAMPLE, name="game.capture")
    assert capture.driver == "dgt"
    assert capture.played == ("e4", "e5", "Nf3")
    assert capture.played_uci == ()
    assert capture.start is None
    assert capture.has_clock
    assert capture.header["Line"] == "9600 8N1"
    assert capture.records == (
        Record(">", 0.0, b"\x42"),
        Record("<", 0.11, b"\x86\x00\x43\x08"),
        Record("<", 0.112, b"\x07\x07"),
        Record("!", 61.25, text="lost"),
        Record("!", 64.9, text="opened"),
        Record("!", 65.0, text="unit 08 01"),
        Record("<", 65.01, b"\x86"),
    )


def test_what_a_header_may_say() -> None:
    capture = parse(
        "# Driver: dgt\n# Played-UCI: e2e4 e7e5\n"
        "# Start: 8/8/8/8/8/8/8/8 w - - 0 1\n# Clock: none\n",
        name="x",
    )
    assert capture.played_uci == ("e2e4", "e7e5")
    assert capture.start == "8/8/8/8/8/8/8/8 w - - 0 1"
    assert not capture.has_clock


def test_a_repeated_key_goes_on() -> None:
    capture = parse("# Driver: dgt\n# Played: e4 e5\n# Played: d4 d5\n# Notes:\n", name="x")
    assert capture.played == ("e4", "e5", "d4", "d5")
    assert capture.header["Played"] == "e4 e5\nd4 d5"
    assert capture.header["Notes"] == ""


def test_a_file_from_windows() -> None:
    text = "\ufeff" + EXAMPLE.replace("\n", "\r\n")
    assert parse(text.encode(), name="x") == parse(EXAMPLE, name="x")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("< 1.0 8", "not bytes in hexadecimal: '8'"),
        ("< 1.0 8g", "not bytes in hexadecimal"),
        ("> 1.0 86 …", "not bytes in hexadecimal"),
        ("< 1.0", "not a record"),
        ("< -1.0 86", "not a record"),
        ("< nan 86", "not a record"),
        (f"< {'9' * 400} 86", "not a record"),
        ("? 1.0 86", "not a record"),
        ("86 00 43", "not a record"),
        ("< 0.499 86", "time goes back: 0.499 s after 0.5 s"),
        ("! 1.0 losst", "not 'lost', 'opened' or 'unit NAME': 'losst'"),
        ("! 1.0 unit", "not 'lost'"),
        ("# Notes: late", "a header line after the first record"),
        ("# no header", "not a header line"),
    ],
)
def test_a_line_that_does_not_fit(line: str, complaint: str) -> None:
    text = f"# Driver: dgt\n> 0.5 42\n{line}\n< 2.0 86\n"
    with pytest.raises(CaptureError) as caught:
        parse(text, name="a/b.capture")
    assert str(caught.value).startswith("a/b.capture:3: ")
    assert complaint in str(caught.value)

    capture = parse(text, name="a/b.capture", lenient=True)
    assert capture.records == (Record(">", 0.5, b"\x42"), Record("<", 2.0, b"\x86"))
    assert capture.skipped == (str(caught.value),)


def test_bytes_that_are_no_text() -> None:
    raw = b"# Driver: dgt\n# Notes: \xff\n< 0.0 86\n"
    with pytest.raises(CaptureError, match=r"^x:2: not UTF-8$"):
        parse(raw, name="x")
    assert parse(raw, name="x", lenient=True).records == (Record("<", 0.0, b"\x86"),)


@pytest.mark.parametrize("key", ["Driver", "Line", "Start", "Clock"])
def test_a_contradiction_in_the_header(key: str) -> None:
    with pytest.raises(CaptureError, match=f"{key} is given twice"):
        parse(f"# Driver: dgt\n# {key}: a\n# {key}: b\n", name="x")


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("text", ["", "< 0.0 86\n", "# Driver:\n< 0.0 86\n"])
def test_a_driver_is_required(text: str, lenient: bool) -> None:
    with pytest.raises(CaptureError, match="names no driver"):
        parse(text, name="x", lenient=lenient)
    with pytest.raises(CaptureError, match="must name its driver"):
        format_header({"Driver": "", "Notes": text})


def test_a_key_must_be_a_word() -> None:
    with pytest.raises(CaptureError, match="'two words'"):
        format_header({"Driver": "dgt", "two words": "x"})


def test_a_long_read_is_several_records() -> None:
    data = bytes(range(256)) * 3 + b"\x01"
    lines = format_record(Record("<", 1.5, data))
    assert max(len(line) for line in lines.splitlines()) < 4 * BYTES_A_LINE
    records = parse("# Driver: dgt\n" + lines, name="x").records
    assert b"".join(record.data for record in records) == data
    assert {record.t for record in records} == {1.5}


times = st.integers(0, 10**9).map(lambda ms: ms / 1000)
chunks = st.binary(min_size=1, max_size=BYTES_A_LINE)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=30)
records = st.one_of(
    st.builds(Record, st.sampled_from(["<", ">"]), times, chunks, st.just("")),
    st.builds(
        lambda t, text: Record("!", t, text=text),
        times,
        st.one_of(st.sampled_from(["lost", "opened"]), texts.map(lambda name: f"unit {name}")),
    ),
)
headers = st.dictionaries(
    st.from_regex(r"[A-Z][a-z]{1,8}(-[A-Z]{1,3})?", fullmatch=True),
    st.lists(texts, max_size=4).map(" ".join),
    max_size=5,
).map(lambda header: header | {"Driver": "dgt"})


@given(headers, st.lists(records, max_size=20))
def test_what_is_written_is_read_back(header: dict[str, str], found: list[Record]) -> None:
    ordered = sorted(found, key=lambda record: record.t)
    text = format_header(header) + "".join(map(format_record, ordered))
    assert parse(text, name="x") == Capture("x", header, tuple(ordered))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_skipped(raw: bytes) -> None:
    capture = parse(b"# Driver: dgt\n" + raw, name="x", lenient=True)
    assert all(math.isfinite(record.t) for record in capture.records)
    assert all(complaint.startswith("x:") for complaint in capture.skipped)
