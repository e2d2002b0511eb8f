"""The full set: one PDF file with all papers for the hall, sorted by where they are used.

The order is: at the door, on the tables, with the boards, on the wall. Papers that cannot be
made yet are left out. After a change, a new set has only the sheets that differ from the
printed sheets.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import layout, paper
from printing.box import Box
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, PlaceOfUse, ShownCards
from printing.layout import PageLayout, SlipLayout
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers.waits import describe_required_step
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from tournaments.models import Event, Session

PACK_NAME, CHANGED_SHEETS_NAME = "pack", "pack_changed"
_DIGESTS_KEYWORD = "sheets"
"""The word before the digests of the sheets in the keywords of the PDF."""


@dataclass(frozen=True, slots=True)
class PaperSet:
    """The sheets to print of each kind of paper."""

    heading: Heading
    papers: tuple[tuple[PaperKind, Any], ...]
    printed_page_digests: frozenset[str] = (
        frozenset()
    )  # checksums of the sheets already printed


def select_paper_set_kinds(
    event: Event, kinds: Iterable[PaperKind], needed_kinds: Collection[str]
) -> list[PaperKind]:
    """Return the kinds of paper in a full set: those for a place in the hall that are offered.

    Kinds that tables need are included only if named in `needed_kinds`.
    """
    return [
        kind
        for kind in kinds
        if kind.place_of_use is not None
        and kind.is_offered(event)
        and (kind.table_requirement is None or kind.name in needed_kinds)
    ]


def build_paper_set(snapshot: SessionSnapshot, kinds: Iterable[PaperKind]) -> PaperSet:
    """Build a set of some kinds of paper, without the papers that cannot be made yet."""
    ready_kinds = [kind for kind in kinds if not describe_required_step(snapshot.session, kind)]
    return PaperSet(
        build_heading(snapshot.session),
        tuple((kind, kind.build_sheet(snapshot)) for kind in ready_kinds),
    )


def count_sheets_by_spot(
    paper_set: PaperSet, *, size: paper.Size
) -> list[tuple[PlaceOfUse, int]]:
    """Return each place in the hall that gets papers, with its number of sheets."""
    return [
        (spot, sum(page_group.page_count for page_group in page_groups))
        for spot, page_groups in _lay_out_pages_by_spot(paper_set, size)
    ]


def draw_pdf(paper_set: PaperSet, *, size: paper.Size = "A4") -> bytes:
    """Print the whole set; the PDF's outline names its parts.

    Sheets with a checksum in `paper_set.printed_page_digests` are left out, because they are
    already printed. The file stores the checksums of all sheets, so that the next set can skip
    them.
    """
    canvas = paper.start_canvas(size, _("Full set"), [paper_set.heading])
    canvas.set_omitted_digests(paper_set.printed_page_digests)
    for spot, page_groups in _lay_out_pages_by_spot(paper_set, size):
        if not paper_set.printed_page_digests:
            canvas.bookmarkPage(spot.value)
            canvas.addOutlineEntry(str(spot.label), spot.value, 0)
        for page_group in page_groups:
            page_box = paper.get_page_box(size, is_landscape=page_group.is_landscape)
            canvas.setPageSize((page_box.width, page_box.height))
            page_group.draw(canvas)
    if paper_set.printed_page_digests.issuperset(canvas.page_digests):
        raise PaperRefused(_("No sheets have changed since the last set."))
    canvas.setKeywords(" ".join([_DIGESTS_KEYWORD, *canvas.page_digests]))
    return paper.finish_canvas(canvas)


def count_changed_sheets(paper_set: PaperSet, *, size: paper.Size) -> int:
    """Count the sheets that differ from those of the previous set; this draws all sheets."""
    canvas = paper.start_canvas(size, "", [paper_set.heading])
    for _spot, page_groups in _lay_out_pages_by_spot(paper_set, size):
        for page_group in page_groups:
            page_group.draw(canvas)
    return sum(digest not in paper_set.printed_page_digests for digest in canvas.page_digests)


def parse_page_digests(pdf: bytes) -> frozenset[str]:
    """Return the digests of all sheets of a set, from the bytes of its file."""
    match = re.search(
        rb"/Keywords \(" + _DIGESTS_KEYWORD.encode() + rb"((?: [0-9a-f]{12})*)\)", pdf
    )
    return frozenset(match[1].decode().split()) if match else frozenset()


def create_paper_set_kinds(kinds: Sequence[PaperKind]) -> tuple[PaperKind, PaperKind]:
    """Return the kinds of paper that combine others: the full set, and its changed sheets."""

    def build_full_paper_set(snapshot: SessionSnapshot) -> PaperSet:
        table_kinds = [kind for kind in kinds if kind.table_requirement is not None]
        needed_names = {
            kind.name
            for kind in table_kinds
            if kind.table_requirement and kind.table_requirement.condition(snapshot)
        }
        return build_paper_set(
            snapshot, select_paper_set_kinds(snapshot.session.event, kinds, needed_names)
        )

    def build_changed_paper_set(snapshot: SessionSnapshot) -> PaperSet:
        last_paper_set = find_last_paper_set(snapshot.session)
        return (
            omit_printed_sheets(build_full_paper_set(snapshot), last_paper_set)
            if last_paper_set
            else build_full_paper_set(snapshot)
        )

    common_fields: dict[str, Any] = {
        "group": PaperGroup.TABLES,
        "draw_pdf": draw_pdf,
        "shown_cards": ShownCards.NONE,
        "outdated_by": OutdatingChanges.SEATS | OutdatingChanges.NAMES,
        "is_on_request": True,
    }
    return (
        PaperKind(
            name=PACK_NAME,
            title=gettext_lazy("Full set"),
            blurb=gettext_lazy(
                "Everything for the room in one file, in the order you lay it out."
            ),
            build_sheet=build_full_paper_set,
            **common_fields,
        ),
        PaperKind(
            name=CHANGED_SHEETS_NAME,
            title=gettext_lazy("Changed sheets"),
            blurb=gettext_lazy("Only the sheets that have changed since the last set."),
            build_sheet=build_changed_paper_set,
            describe_required_step=_describe_step_before_changed_sheets,
            **common_fields,
        ),
    )


def find_last_paper_set(session: Session) -> Paper | None:
    """Return the last set that was made, complete or with only the changed sheets."""
    paper_sets = Paper.objects.filter(
        session=session, kind__in=(PACK_NAME, CHANGED_SHEETS_NAME), state=Paper.State.READY
    )
    return paper_sets.order_by("pk").last()


def omit_printed_sheets(paper_set: PaperSet, last_paper_set: Paper) -> PaperSet:
    """Return a set without the sheets of the last set, which are already printed."""
    return replace(paper_set, printed_page_digests=_read_page_digests(last_paper_set))


def _read_page_digests(last_paper_set: Paper) -> frozenset[str]:
    try:
        with last_paper_set.file.open("rb") as pdf_file:
            return parse_page_digests(pdf_file.read())
    except FileNotFoundError:
        return frozenset()  # the file was deleted, so the sheets are unknown


def _describe_step_before_changed_sheets(session: Session) -> str:
    return "" if find_last_paper_set(session) else _("print the full set")


def _lay_out_pages_by_spot(
    paper_set: PaperSet, size: paper.Size
) -> list[tuple[PlaceOfUse, list[PageLayout]]]:
    """Return the pages for each place in the hall: slips sorted by table, then other papers."""
    layouts_by_spot: dict[PlaceOfUse, list[PageLayout | SlipLayout]] = {
        spot: [] for spot in PlaceOfUse
    }
    for kind, sheets in paper_set.papers:
        if kind.place_of_use is not None and kind.lay_out is not None:
            layouts_by_spot[kind.place_of_use].append(kind.lay_out(sheets, size=size))
    page_box = paper.get_page_box(size)
    return [
        (spot, _stack_slips(layouts, page_box))
        for spot, layouts in layouts_by_spot.items()
        if layouts
    ]


def _stack_slips(layouts: Sequence[PageLayout | SlipLayout], page: Box) -> list[PageLayout]:
    slip_layouts = [
        page_layout for page_layout in layouts if isinstance(page_layout, SlipLayout)
    ]
    page_layouts = [
        page_layout for page_layout in layouts if isinstance(page_layout, PageLayout)
    ]
    return (
        [layout.lay_out_slips_by_table(slip_layouts, page), *page_layouts]
        if slip_layouts
        else page_layouts
    )
