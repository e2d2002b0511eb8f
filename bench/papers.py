"""Travellers of 1,000 boards against a bare canvas that draws as much text and as many lines.

Run manually: `python -m bench.papers`, half a minute. The bare canvas is ReportLab's own. It
draws the strings of each page's rows and one line under each row, without fitting, grid and
tags. It prints medians of three runs and their ratio, for boards whose rows are shared by a
group of four, and for boards with their own rows.
"""

import argparse
import os
from datetime import date
from typing import TYPE_CHECKING

from reportlab.pdfgen.canvas import Canvas

from bench.setup import measure_median, show_ratio

if TYPE_CHECKING:
    from scoring.sheets.values import TravellerSlip

TABLES, SLIPS_PER_PAGE, RUN_COUNT = 7, 4, 3


def main() -> None:
    """Print the measurements."""
    from scoring.papers import travellers

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    boards = parser.parse_args().boards
    for arguments, group in (("rows shared by four boards", 4), ("rows of their own", 1)):
        slips = make_slips(boards, group)
        print(f"{boards} travellers, {arguments}", flush=True)
        baseline_seconds = measure_median(
            lambda slips=slips: draw_bare_canvas(slips), RUN_COUNT
        )
        show_ratio("a bare canvas", baseline_seconds, baseline_seconds)
        show_ratio(
            "travellers",
            measure_median(lambda slips=slips: travellers.draw_pdf(slips), RUN_COUNT),
            baseline_seconds,
        )


def make_slips(boards: int, group: int) -> "list[TravellerSlip]":
    """Build the travellers of many sections; the boards of a group have the same rows."""
    from boards.whist.seats import Seat
    from printing.values import Heading
    from scoring.sheets.values import TravellerSlip, TravellerSlipLine

    heading = Heading("Riverside Whist Club", "Tuesday pairs", date(2026, 3, 10))
    return [
        TravellerSlip(
            heading,
            board,
            Seat.find_dealer(board),
            tuple(
                TravellerSlipLine(
                    round_, str((place - round_) % TABLES + 1), str(place + round_), str(place)
                )
                for place in [(board - 1) // group]
                for round_ in range(1, TABLES + 1)
            ),
        )
        for board in range(1, boards + 1)
    ]


def draw_bare_canvas(slips: "list[TravellerSlip]") -> bytes:
    """Draw the same strings with ReportLab's canvas only."""
    canvas = Canvas("bare.pdf", invariant=1)
    for first_index in range(0, len(slips), SLIPS_PER_PAGE):
        for index, slip in enumerate(slips[first_index : first_index + SLIPS_PER_PAGE]):
            top_y = 800 - 200 * index
            canvas.drawString(
                40,
                top_y,
                f"{slip.heading.club_name} {slip.heading.event_name} {slip.board_number}",
            )
            for number, line in enumerate(slip.lines, start=1):
                y = top_y - 20 * number
                for x, text in enumerate(
                    (str(line.round_number), line.table_label, line.ns, line.ew)
                ):
                    canvas.drawString(40 + 60 * x, y, text)
                canvas.line(40, y - 4, 500, y - 4)
        canvas.showPage()
    return canvas.getpdfdata()


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
