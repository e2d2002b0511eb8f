"""One sample of every kind of paper, drawn in the current language."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from drives.games import GAMES_BY_CODE
from drives.papers import get_paper_kinds_by_name
from laws import wall_sheet
from laws.single_table import LAW_BOOKS_BY_CODE
from printing.kinds import PaperKind
from printing.paper import NothingToPrint
from rubbers.papers import PAPER_KINDS as RUBBER_PAPERS
from seasons.calendar.papers import draw_attendance_list
from seasons.ladders.papers import draw_ladder
from seasons.people.papers import draw_link_cards
from tests.drives import test_papers as drive_samples
from tests.drives.games import test_contract_papers as contract_samples
from tests.rubbers import test_papers as rubber_samples
from tests.scoring.papers.test_papers import KINDS, SHEETS_BY_KIND
from tests.seasons import test_ladder_paper as ladder_samples
from tests.seasons import test_year_papers as year_samples

DrawPdf = Callable[[], bytes]
DRIVE_SAMPLES = (("progressive", 10, 24), ("social", 9, 12), ("social", 8, 24))


def draw_every_paper() -> Iterator[tuple[str, bytes]]:
    """Draw each kind on its smallest sheet; yield its name and its bytes."""
    for name, draw in list_drawings():
        try:
            yield name, draw()
        except NothingToPrint:  # papers of one type of drive only
            continue


def list_drawings() -> Iterator[tuple[str, DrawPdf]]:
    for name, paper_kind in KINDS.items():
        yield (
            f"event: {name}",
            partial(paper_kind.draw_pdf, SHEETS_BY_KIND[name], paper_size="Letter"),
        )
    yield from list_drive_drawings()
    night = rubber_samples.build_night_paper()
    for paper_kind in RUBBER_PAPERS:
        yield (
            f"rubbers: {paper_kind.name}",
            partial(paper_kind.draw_pdf, night, paper_size="A5"),
        )
    for paper_size in ("A4", "Letter"):
        yield f"laws, {paper_size}", partial(wall_sheet.draw_laws, paper_size=paper_size)
        yield (
            f"etiquette, {paper_size}",
            partial(wall_sheet.draw_etiquette, paper_size=paper_size),
        )
    for book_code in LAW_BOOKS_BY_CODE:
        yield (
            f"laws: {book_code}",
            partial(wall_sheet.draw_law_book, book_code, paper_size="Letter"),
        )
    ladder = ladder_samples.build_sheet(25, "Every evening counts.")
    yield "ladder", partial(draw_ladder, ladder, paper_size="Letter")
    attendance = year_samples.build_attendance(24)
    yield "attendance", partial(draw_attendance_list, attendance, paper_size="Letter")
    cards = [("Ann Abbot", "https://x.example/me/1/")]
    yield "personal links", partial(draw_link_cards, "Riverside", cards, paper_size="Letter")


def list_drive_drawings() -> Iterator[tuple[str, DrawPdf]]:
    """List the papers of drives, except for the full set, which repeats them."""
    kinds: list[PaperKind] = [
        kind for kind in get_paper_kinds_by_name().values() if kind.name != "pack"
    ]
    # Not the cached samples: their texts are in the language in which they were built.
    build_drive = drive_samples.build_drive_paper.__wrapped__
    drives = {
        f"{form}, {rounds} rounds": build_drive(form, players, rounds)
        for form, players, rounds in DRIVE_SAMPLES
    }
    drives["military"] = build_drive("military", 12, 2, 4)
    for game in GAMES_BY_CODE:
        drives[game] = contract_samples.build_drive_paper.__wrapped__(game, 8)
    for title, drive in drives.items():
        for kind in kinds:
            drive_with_cards = replace(drive, cards=frozenset({1, 2}))
            yield (
                f"{title}: {kind.name}",
                partial(kind.draw_pdf, drive_with_cards, paper_size="A5"),
            )
