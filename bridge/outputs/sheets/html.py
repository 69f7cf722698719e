"""A scoresheet as one HTML file that loads nothing from anywhere, also well-formed XML.

The moves are one table in columns, and the browser breaks it: each page is filled column by column
before the next one begins, so that any paper is read in the order of the moves.
"""

import base64
import io
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from bridge.core.scoresheet.sheet import Gap, Player, Sheet
from bridge.outputs.sheets.fonts import Family, families_for
from bridge.outputs.sheets.layout import cells, gap_cell, texts

_STYLE = """
@page { margin: 12mm; }
body { color: #000; background: #fff; margin: 1em auto; max-width: 60em; }
article + article { break-before: page; }
@media screen { body { padding: 0 .6em; } article + article { margin-top: 3em; } }
h1 { font-size: 1.5em; }
dl { display: flex; flex-wrap: wrap; gap: .6em 1em; margin: 0 0 1em; }
dl div { flex: 1 1 auto; min-width: 5em; border-bottom: 1px solid #999; }
dl.players div { flex: 1 1 40%; }
dt, small { font-size: .7em; color: #555; }
dd { margin: 0; min-height: 1.4em; }
.moves { columns: 20em; column-gap: 1em; }
table { border-collapse: collapse; width: 100%; }
tr { break-inside: avoid; }
td, th { border: 1px solid #999; padding: .1em .4em; text-align: start; }
th, td.gap { background: #eee; }
td.gap { text-align: center; font-size: .8em; }
td.number, td.time { text-align: end; font-size: .8em; white-space: nowrap; }
td.move { white-space: nowrap; min-width: 5em; }
footer { display: flex; gap: 1em; margin-top: 1.5em; break-inside: avoid; }
footer div { flex: 1; border-bottom: 1px solid #999; min-height: 3.5em; }
footer strong { font-size: 1.4em; display: block; }
"""


def to_html(sheets: Iterable[Sheet]) -> str:
    """Return one page with the sheets one below the other; printed, each begins a new sheet."""
    all_sheets = tuple(sheets)
    written = "".join({letter for sheet in all_sheets for text in texts(sheet) for letter in text})
    language = all_sheets[0].language if all_sheets else "en"
    families = families_for(language)
    stack = ", ".join(family.name for family in families)
    return "".join(
        (
            "<!DOCTYPE html>\n",
            f'<html lang="{language}" xml:lang="{language}" xmlns="http://www.w3.org/1999/xhtml">\n',
            '<head>\n<meta charset="utf-8"/>\n',
            '<meta name="viewport" content="width=device-width"/>\n',
            f"<title>{_title(all_sheets)}</title>\n<style>",
            *_faces(families, set(map(ord, written))),
            _STYLE,
            f"body {{ font-family: {stack}, sans-serif; }}\n</style>\n</head>\n<body>\n",
            *(part for sheet in all_sheets for part in _article(sheet)),
            "</body>\n</html>\n",
        )
    )


def _title(sheets: tuple[Sheet, ...]) -> str:
    if len(sheets) != 1:
        return escape(sheets[0].title) if sheets else ""
    white, black = sheets[0].players
    return escape(f"{sheets[0].title}: {white.name} – {black.name}")


# --- fonts --------------------------------------------------------------------------------------


def _faces(families: tuple[Family, ...], needed: set[int]) -> Iterator[str]:
    """Yield each font with the letters that those before it lack, in each weight that is a file."""
    for family in families:
        letters = sorted(needed & family.letters())
        needed = needed - family.letters()
        if not letters:
            continue
        for weight, file in (("normal", family.regular), ("bold", family.bold)):
            if weight == "normal" or file != family.regular:
                yield _face(family.name, weight, _subset(file, letters))


def _face(name: str, weight: str, font: bytes) -> str:
    data = base64.b64encode(font).decode()
    return (
        f"\n@font-face {{ font-family: {name}; font-weight: {weight}; "
        f"src: url(data:font/woff;base64,{data}) format('woff'); }}"
    )


def _subset(file: Path, letters: list[int]) -> bytes:
    options = Options(layout_features=["*"])
    with TTFont(file) as font:
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=letters)
        subsetter.subset(font)
        font.flavor = "woff"
        out = io.BytesIO()
        font.save(out)
    return out.getvalue()


# --- the sheet ----------------------------------------------------------------------------------


def _article(sheet: Sheet) -> Iterator[str]:
    direction = "ltr" if sheet.tongue.rightward else "rtl"
    yield f'<article lang="{sheet.language}" dir="{direction}">\n'
    yield f"<h1>{escape(sheet.title)}</h1>\n<dl>\n"
    for label, value in sheet.header:
        yield f"<div><dt>{escape(label)}</dt><dd>{_own_direction(value)}</dd></div>\n"
    yield '</dl>\n<dl class="players">\n'
    for player in sheet.players:
        yield _player(player)
    yield '</dl>\n<div class="moves">\n'
    yield from _table(sheet)
    yield f"</div>\n{_legend(sheet)}{_footer(sheet)}</article>\n"


def _own_direction(value: str) -> str:
    """Return a text that may be in another language than the sheet."""
    return f"<bdi>{escape(value)}</bdi>"


def _player(player: Player) -> str:
    more = f" <small><bdi>{escape(player.more)}</bdi></small>" if player.more else ""
    return (
        f"<div><dt>{escape(player.side)}</dt><dd>{_own_direction(player.name)}{more}</dd></div>\n"
    )


def _table(sheet: Sheet) -> Iterator[str]:
    words = sheet.words
    heads = ("", words.white, words.time, words.black, words.time)
    yield "<table>\n<thead><tr>"
    yield from (f"<th>{escape(head)}</th>" for head in heads)
    yield "</tr></thead>\n<tbody>\n"
    for row in sheet.rows:
        if isinstance(row, Gap):
            yield f'<tr><td class="gap" colspan="5">{escape(gap_cell(row, sheet))}</td></tr>\n'
        else:
            yield _row(cells(row, rightward=sheet.tongue.rightward))
    yield "</tbody>\n</table>\n"


def _row(written: tuple[str, ...]) -> str:
    kinds = ("number", "move", "time", "move", "time")
    inner = (
        f'<td class="{kind}">{escape(text)}</td>' for kind, text in zip(kinds, written, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>\n"


def _legend(sheet: Sheet) -> str:
    if not sheet.legend:
        return ""
    return f"<p>{' · '.join(f'{escape(s)} {escape(meaning)}' for s, meaning in sheet.legend)}</p>\n"


def _footer(sheet: Sheet) -> str:
    label, result = sheet.result
    signatures = "".join(f"<div><small>{escape(who)}</small></div>\n" for who in sheet.signatures)
    return (
        f"<footer>\n<div><small>{escape(label)}</small><strong>{escape(result)}</strong></div>\n"
        f"{signatures}</footer>\n"
    )
