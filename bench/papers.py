"""Travellers of 1,000 boards against a bare canvas that draws the same strings and strokes.

Run by hand: `python -m bench.papers`. The bare canvas is
ReportLab's own, given every string at its final place and size: it pays for no fitting, no grid
and no tiling. Prints medians of five runs and their ratio, for boards whose rows are shared by
a group of four, and for boards that all have rows of their own.
"""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any
from unittest import mock

from reportlab.pdfgen.canvas import Canvas

from boards.whist.seats import Seat
from printing import paper
from printing.values import Heading

if TYPE_CHECKING:
    from scoring.sheets.values import SlipLine, TravellerSlip

BOARDS, TABLES, RUNS = 1000, 7, 5
KEPT = ("setFont", "drawString", "setLineWidth", "lines", "line", "rect")
Call = tuple[str, tuple[Any, ...]]


def main() -> None:
    """Print the figures."""
    from scoring.papers import travellers

    for words, group in (("rows shared by four boards", 4), ("rows of their own", 1)):
        slips = compass(group)
        pages = recorded(slips)
        bare = median(lambda pages=pages: replayed(pages))
        ours = median(lambda slips=slips: travellers.draw(slips))
        print(f"{BOARDS} travellers, {words}: {len(pages)} pages")
        print(f"  bare canvas {bare:.3f} s, {len(pages) / bare:,.0f} pages/s")
        print(f"  travellers  {ours:.3f} s, {len(pages) / ours:,.0f} pages/s")
        print(f"  ratio       {ours / bare:.2f}")


def compass(group: int) -> "list[TravellerSlip]":
    """Make the travellers of many sections; boards of one group have the same rows."""
    from scoring.sheets.values import TravellerSlip

    heading = Heading("Riverside Whist Club", "Tuesday compass", date(2026, 3, 10))
    return [
        TravellerSlip(heading, board, Seat.dealer_of(board), rows((board - 1) // group))
        for board in range(1, BOARDS + 1)
    ]


def rows(place: int) -> "tuple[SlipLine, ...]":
    """Make the rows of one board group; no two groups have the same."""
    from scoring.sheets.values import SlipLine

    return tuple(
        SlipLine(
            round_, str((place - round_) % TABLES + 1), str(place + round_), str(place - round_)
        )
        for round_ in range(1, TABLES + 1)
    )


class Notes:
    """What a canvas was asked to draw, page by page, with its forms where they stand."""

    def __init__(self) -> None:
        self.pages: list[list[Call]] = [[]]
        self.forms: dict[str, list[Call]] = {}
        self.into = self.pages[-1]
        self.at = (0.0, 0.0)

    def begin_form(self, _canvas: Canvas, name: str, *_box: float) -> None:
        self.into = self.forms[name] = []

    def end_form(self, _canvas: Canvas) -> None:
        self.into = self.pages[-1]

    def translate(self, _canvas: Canvas, x: float, y: float) -> None:
        self.at = (x, y)

    def do_form(self, _canvas: Canvas, name: str) -> None:
        x, y = self.at if self.into is self.pages[-1] else (0.0, 0.0)
        self.into.extend(moved(call, x, y) for call in self.forms[name])

    def show_page(self, _canvas: Canvas) -> None:
        self.pages.append([])
        self.into = self.pages[-1]

    def note(self, method: str) -> Callable[..., None]:
        return lambda _canvas, *arguments, **_ways: self.into.append((method, arguments))


def recorded(slips: "Sequence[TravellerSlip]") -> list[list[Call]]:
    """Draw once and note every string and stroke, page by page, at its final place."""
    from scoring.papers import travellers

    notes = Notes()
    methods: dict[str, Any] = {method: notes.note(method) for method in KEPT}
    methods |= {
        "beginForm": lambda *asked: notes.begin_form(*asked),
        "endForm": lambda *asked: notes.end_form(*asked),
        "translate": lambda *asked: notes.translate(*asked),
        "doForm": lambda *asked: notes.do_form(*asked),
        "showPage": lambda *asked: notes.show_page(*asked),
    }
    with mock.patch.object(paper, "Tagged", type("NotingCanvas", (Canvas,), methods)):
        travellers.draw(slips)
    return [page for page in notes.pages if page]


def moved(call: Call, x: float, y: float) -> Call:
    """Move what is drawn in a form to where the form stands."""
    method, arguments = call
    if method in ("drawString", "rect"):
        return method, (arguments[0] + x, arguments[1] + y, *arguments[2:])
    if method == "line":
        return method, tuple(
            value + (y if place % 2 else x) for place, value in enumerate(arguments)
        )
    if method == "lines":
        return method, ([(a + x, b + y, c + x, d + y) for a, b, c, d in arguments[0]],)
    return call


def replayed(pages: Sequence[Sequence[Call]]) -> bytes:
    """Draw the same strings and strokes on a bare canvas."""
    canvas = Canvas("bare.pdf", pagesize=(595.28, 841.89), invariant=1)
    draw = {method: getattr(canvas, method) for method in KEPT}
    for page in pages:
        for method, arguments in page:
            draw[method](*arguments)
        canvas.showPage()
    return canvas.getpdfdata()


def median(work: Callable[[], object]) -> float:
    """Return the median of the runs in seconds, after one that is not counted."""
    work()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
