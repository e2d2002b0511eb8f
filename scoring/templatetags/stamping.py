"""Pieces of a page by the thousand: one is drawn by its template, others are stamped from it.

The score grid of a large hall has thousands of rows that differ in a few words only. To draw
each by its template takes most of a second; to put the words into one that was drawn, a moment.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from boards.whist import Suit, figures
from scoring.sheets.doubts import QueryRow
from scoring.sheets.score_grid import GridBlock, GridCell
from scoring.sheets.short_names import partners
from scoring.sheets.values import RecapRow
from scoring.templatetags.scoring import as_counted

register = template.Library()

_BEGINS, _ENDS = "\ue000", "\ue001"  # letters that no text has
_GAP = re.compile(f"{_BEGINS}(\\w+){_ENDS}")
_BREAKS = re.compile(r"\s*\n\s*")
_CELL = (
    *("board", "ew", "ew_label", "ew_name", "ew_short", "name"),
    *("ns_label", "ns_name", "ns_short", "place", "round", "seen"),
    *("sitting", "trump"),
    *("chosen_S", "chosen_H", "chosen_D", "chosen_C"),
)
_BLOCK = ("board", "entered", "expected", "key", "place", "round", "rows", "title")
_TILE = ("entered", "expected", "key", "number", "title")


class _Gaps(dict[str, SafeString]):
    """What a template finds where a row's own words will stand."""

    def __init__(self, names: Collection[str]) -> None:
        super().__init__({name: mark_safe(f"{_BEGINS}{name}{_ENDS}") for name in names})


class Stamp:
    """A piece of a page with gaps that are filled again and again."""

    def __init__(
        self, name: str, gaps: Collection[str], context: Context, **known: Any
    ) -> None:
        """Draw a template once; it finds the gaps in `own`, as if they were a row's words."""
        words: dict[Any, Any] = dict(context.flatten())
        words |= {**known, "own": _Gaps(gaps)}
        drawn = get_template(name).render(words, words.get("request"))
        drawn = _BREAKS.sub("\n", drawn.strip())  # a template's indents, times thousands
        self._pattern = _GAP.sub(r"%(\1)s", drawn.replace("%", "%%"))

    def pressed(self, words: Mapping[str, str]) -> str:
        """Fill the gaps with words that are escaped already."""
        return self._pattern % words


@dataclass(frozen=True, slots=True)
class GridStamps:
    """The stamps of a score grid, each by what its piece looks like."""

    cells: Mapping[str, Stamp]  # by what stands beside them: see `_asks`
    blocks: Mapping[bool, Stamp]  # whether all of it is in
    tiles: Mapping[tuple[str, bool], Stamp]
    """By "full", "part" or "" where nothing is in, and whether something is asked there."""
    query: Callable[[QueryRow], str]  # the row of one question


@register.simple_tag(takes_context=True)
def grid_stamps(context: Context) -> GridStamps:
    """Draw a piece of each kind."""
    both = (False, True)
    return GridStamps(
        {
            it: Stamp("scoring/_cell.html", _CELL, context, asks=it)
            for it in ("queried", "disputed", "awaited", "missing", "early", "later", "")
        },
        {it: Stamp("scoring/_block.html", _BLOCK, context, is_full=it) for it in both},
        {
            (it, asked): Stamp("scoring/_tile.html", _TILE, context, state=it, asked=asked)
            for it in ("full", "part", "")
            for asked in both
        },
        lambda asked: _query(context, asked),
    )


def _query(context: Context, asked: QueryRow) -> str:
    """Draw the row of one question: there are few of them."""
    words = {"query": asked, "locked_text": context.get("locked_text")}
    return get_template("scoring/_query.html").render(words)


@register.filter
def state_words(asks: str) -> str:
    """What stands beside a cell in words, by what `_asks` calls it."""
    words = {
        "queried": _("please check"),
        "disputed": _("sides disagree"),
        "awaited": _("not confirmed yet"),
        "missing": _("to come"),
        "early": _("later round"),
        "later": _("later round"),
    }
    return words.get(asks, "")


@register.simple_tag
def stamped_block(
    stamps: GridStamps, block: GridBlock, queried: Mapping[str, QueryRow]
) -> SafeString:
    """One block of the grid with all its rows, each with what is asked about it below."""
    first = block.cells[0]
    words = {
        **_counted(block, block.title),
        "board": str(first.board),
        "place": escape(first.place),
        "round": str(first.round),
        "rows": "".join(_rows(stamps, it, queried) for it in block.cells),
    }
    return mark_safe(stamps.blocks[block.entered == block.expected].pressed(words))


@register.simple_tag
def stamped_tile(
    stamps: GridStamps,
    block: GridBlock,
    title: str,
    number: object,
    queried: Collection[str],
) -> SafeString:
    """One block in the map of all of them, by its number."""
    some = "part" if block.entered else ""
    state = "full" if block.entered == block.expected else some
    is_asked = any(it.name in queried for it in block.cells)
    words = _counted(block, title) | {"number": escape(str(number))}
    return mark_safe(stamps.tiles[state, is_asked].pressed(words))


def _rows(stamps: GridStamps, cell: GridCell, queried: Mapping[str, QueryRow]) -> str:
    row = stamps.cells[_asks(cell, queried)].pressed(_row(cell))
    asked = queried.get(cell.name)
    return row if asked is None else row + stamps.query(asked)


RecapStamps = Mapping[tuple[bool, int], Stamp]
"""The stamps of a recap: with a link or without, below the average, about it, above it."""


@register.simple_tag(takes_context=True)
def recap_stamps(context: Context) -> RecapStamps:
    """Draw a recap's cell: with a link to how its score was made or without, and its side."""
    gaps = ("board", "cell", "explained")
    return {
        (linked, side): Stamp(
            "scoring/_recap_cell.html", gaps, context, is_linked=linked, side=side
        )
        for linked in (False, True)
        for side in (-1, 0, 1)
    }


@register.simple_tag
def stamped_recap(
    stamps: RecapStamps,
    row: RecapRow,
    boards: Sequence[int],
    explained: str,
    by_board: bool,
) -> SafeString:
    """The boards of one entry; `explained` is the page that tells how its score was made."""
    cells = zip(boards, row.cells, row.sides or (0,) * len(row.cells), strict=True)
    return mark_safe(
        "".join(
            stamps[bool(cell) and by_board, side].pressed(
                {
                    "board": str(board),
                    "cell": as_counted(cell) if cell else "",
                    "explained": explained,
                }
            )
            for board, cell, side in cells
        )
    )


def _counted(block: GridBlock, title: str) -> dict[str, str]:
    return {
        "entered": str(block.entered),
        "expected": str(block.expected),
        "key": escape(block.key),
        "title": escape(title),
    }


def _asks(cell: GridCell, queried: Collection[str]) -> str:
    """What stands beside a cell: what is to be done about it, or nothing."""
    if cell.disputed:
        return "disputed"
    if cell.name in queried:
        return "queried"
    if cell.awaits:
        return "awaited"
    if cell.is_early:
        return "early" if cell.seen else "later"
    return "" if cell.seen else "missing"


def _by_partners(name: str) -> str:
    """Write a name so that a line breaks between its partners only."""
    return " ".join(escape(it).replace(" ", "\u00a0") for it in partners(name))


def _row(cell: GridCell) -> dict[str, str]:
    not_played = "–" if cell.seen == "-" else ""
    beside = None if cell.ew_tricks is None else str(cell.ew_tricks)
    if cell.net is not None:
        beside = figures.signed(Fraction(cell.net))
    return {
        "board": str(cell.board),
        "ew": not_played if beside is None else beside,
        "ew_label": escape(cell.ew_label),
        "ew_name": _by_partners(cell.ew_name),
        "ew_short": escape(cell.ew_short),
        "name": cell.name,
        "ns_label": escape(cell.ns_label),
        "ns_name": _by_partners(cell.ns_name),
        "ns_short": escape(cell.ns_short),
        "place": escape(cell.place),
        "round": str(cell.round),
        "seen": escape(cell.seen),
        "sitting": str(cell.sitting),
        "trump": cell.trump,
        **{f"chosen_{suit}": " selected" if suit == cell.trump else "" for suit in Suit},
    }
