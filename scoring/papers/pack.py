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

PAPER_PACK_KIND_NAME, CHANGED_SHEETS_KIND_NAME = "pack", "pack_changed"
_DIGESTS_KEYWORD = "sheets"
"""The word before the digests of the sheets in the keywords of the PDF."""


@dataclass(frozen=True, slots=True)
class PaperSet:
    """The sheets to print of each kind of paper."""

    heading: Heading
    kinds_and_sheets: tuple[tuple[PaperKind, Any], ...]
    printed_page_digests: frozenset[str] = (
        frozenset()
    )  # checksums of the sheets already printed


def select_paper_set_kinds(
    event: Event, paper_kinds: Iterable[PaperKind], needed_kind_names: Collection[str]
) -> list[PaperKind]:
    """Return the kinds of paper in a full set: those for a place in the hall that are offered.

    Kinds that tables need are included only if named in `needed_kind_names`.
    """
    return [
        paper_kind
        for paper_kind in paper_kinds
        if paper_kind.place_of_use is not None
        and paper_kind.is_offered(event)
        and (paper_kind.table_requirement is None or paper_kind.name in needed_kind_names)
    ]


def build_paper_set(snapshot: SessionSnapshot, paper_kinds: Iterable[PaperKind]) -> PaperSet:
    """Build a set of some kinds of paper, without the papers that cannot be made yet."""
    ready_paper_kinds = [
        paper_kind
        for paper_kind in paper_kinds
        if not describe_required_step(snapshot.session, paper_kind)
    ]
    return PaperSet(
        build_heading(snapshot.session),
        tuple(
            (paper_kind, paper_kind.build_sheet(snapshot)) for paper_kind in ready_paper_kinds
        ),
    )


def count_sheets_by_place(
    paper_set: PaperSet, *, paper_size: paper.Size
) -> list[tuple[PlaceOfUse, int]]:
    """Return each place in the hall that gets papers, with its number of sheets."""
    return [
        (place_of_use, sum(page_group.page_count for page_group in page_groups))
        for place_of_use, page_groups in _lay_out_pages_by_place(paper_set, paper_size)
    ]


def draw_pdf(paper_set: PaperSet, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the whole set; the PDF's outline names its parts.

    Sheets with a checksum in `paper_set.printed_page_digests` are left out, because they are
    already printed. The file stores the checksums of all sheets, so that the next set can skip
    them.
    """
    canvas = paper.start_canvas(paper_size, _("Full set"), [paper_set.heading])
    canvas.set_omitted_digests(paper_set.printed_page_digests)
    for place_of_use, page_groups in _lay_out_pages_by_place(paper_set, paper_size):
        if not paper_set.printed_page_digests:
            canvas.bookmarkPage(place_of_use.value)
            canvas.addOutlineEntry(str(place_of_use.label), place_of_use.value, 0)
        for page_group in page_groups:
            page_box = paper.get_page_box(paper_size, is_landscape=page_group.is_landscape)
            canvas.setPageSize((page_box.width, page_box.height))
            page_group.draw(canvas)
    if paper_set.printed_page_digests.issuperset(canvas.page_digests):
        raise PaperRefused(_("No sheets have changed since the last set."))
    canvas.setKeywords(" ".join([_DIGESTS_KEYWORD, *canvas.page_digests]))
    return paper.finish_canvas(canvas)


def count_changed_sheets(paper_set: PaperSet, *, paper_size: paper.Size) -> int:
    """Count the sheets that differ from those of the previous set; this draws all sheets."""
    canvas = paper.start_canvas(paper_size, "", [paper_set.heading])
    for _place_of_use, page_groups in _lay_out_pages_by_place(paper_set, paper_size):
        for page_group in page_groups:
            page_group.draw(canvas)
    return sum(
        page_digest not in paper_set.printed_page_digests for page_digest in canvas.page_digests
    )


def parse_page_digests(pdf: bytes) -> frozenset[str]:
    """Return the digests of all sheets of a set, from the bytes of its file."""
    digests_match = re.search(
        rb"/Keywords \(" + _DIGESTS_KEYWORD.encode() + rb"((?: [0-9a-f]{12})*)\)", pdf
    )
    return frozenset(digests_match[1].decode().split()) if digests_match else frozenset()


def create_paper_set_kinds(paper_kinds: Sequence[PaperKind]) -> tuple[PaperKind, PaperKind]:
    """Return the kinds of paper that combine others: the full set, and its changed sheets."""

    def build_full_paper_set(snapshot: SessionSnapshot) -> PaperSet:
        table_paper_kinds = [
            paper_kind for paper_kind in paper_kinds if paper_kind.table_requirement is not None
        ]
        needed_kind_names = {
            paper_kind.name
            for paper_kind in table_paper_kinds
            if paper_kind.table_requirement and paper_kind.table_requirement.condition(snapshot)
        }
        return build_paper_set(
            snapshot,
            select_paper_set_kinds(snapshot.session.event, paper_kinds, needed_kind_names),
        )

    def build_changed_paper_set(snapshot: SessionSnapshot) -> PaperSet:
        last_paper_set = find_last_paper_set(snapshot.session)
        return (
            omit_printed_sheets(build_full_paper_set(snapshot), last_paper_set)
            if last_paper_set
            else build_full_paper_set(snapshot)
        )

    common_options: dict[str, Any] = {
        "group": PaperGroup.TABLES,
        "draw_pdf": draw_pdf,
        "shown_cards": ShownCards.NONE,
        "outdating_changes": OutdatingChanges.SEATS | OutdatingChanges.NAMES,
        "is_on_request": True,
    }
    return (
        PaperKind(
            name=PAPER_PACK_KIND_NAME,
            title=gettext_lazy("Full set"),
            blurb=gettext_lazy(
                "Everything for the room in one file, in the order you lay it out."
            ),
            build_sheet=build_full_paper_set,
            **common_options,
        ),
        PaperKind(
            name=CHANGED_SHEETS_KIND_NAME,
            title=gettext_lazy("Changed sheets"),
            blurb=gettext_lazy("Only the sheets that have changed since the last set."),
            build_sheet=build_changed_paper_set,
            describe_required_step=_describe_step_before_changed_sheets,
            **common_options,
        ),
    )


def find_last_paper_set(session: Session) -> Paper | None:
    """Return the last set that was made, complete or with only the changed sheets."""
    paper_sets = Paper.objects.filter(
        session=session,
        kind__in=(PAPER_PACK_KIND_NAME, CHANGED_SHEETS_KIND_NAME),
        state=Paper.State.READY,
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


def _lay_out_pages_by_place(
    paper_set: PaperSet, paper_size: paper.Size
) -> list[tuple[PlaceOfUse, list[PageLayout]]]:
    """Return the pages for each place in the hall: slips sorted by table, then other papers."""
    layouts_by_place: dict[PlaceOfUse, list[PageLayout | SlipLayout]] = {
        place_of_use: [] for place_of_use in PlaceOfUse
    }
    for paper_kind, sheets in paper_set.kinds_and_sheets:
        if paper_kind.place_of_use is not None and paper_kind.lay_out is not None:
            layouts_by_place[paper_kind.place_of_use].append(
                paper_kind.lay_out(sheets, paper_size=paper_size)
            )
    page_box = paper.get_page_box(paper_size)
    return [
        (place_of_use, _stack_slips(layouts, page_box))
        for place_of_use, layouts in layouts_by_place.items()
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
