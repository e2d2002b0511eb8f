"""The pack: one PDF file with all papers for the hall, sorted by where they are used.

The order is: at the door, on the tables, with the boards, on the wall. Papers that cannot be
made yet are left out. After a change, a new pack has only the sheets that differ from the
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
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.layout import Pages, Slips
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers.waits import describe_wait
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from tournaments.models import Event, Session

PACK_NAME, CHANGED_SHEETS_NAME = "pack", "pack_changed"
_DIGESTS_KEYWORD = "sheets"
"""The word before the digests of the sheets in the keywords of the PDF."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The sheets to print of each kind of paper."""

    heading: Heading
    papers: tuple[tuple[PaperKind, Any], ...]
    known_digests: frozenset[str] = frozenset()  # checksums of the sheets already printed


def select_pack_kinds(
    event: Event, kinds: Iterable[PaperKind], needed_kinds: Collection[str]
) -> list[PaperKind]:
    """Return the kinds of paper in a pack: those with a place in the hall that suit the event.

    Kinds that tables need are included only if named in `needed_kinds`.
    """
    return [
        kind
        for kind in kinds
        if kind.hall_spot is not None
        and kind.is_offered(event)
        and (kind.table_need is None or kind.name in needed_kinds)
    ]


def build_pack(snapshot: SessionSnapshot, kinds: Iterable[PaperKind]) -> Pack:
    """Build a pack of some kinds of paper, without the papers that cannot be made yet."""
    ready_kinds = [kind for kind in kinds if not describe_wait(snapshot.session, kind)]
    return Pack(
        build_heading(snapshot.session),
        tuple((kind, kind.build_sheet(snapshot)) for kind in ready_kinds),
    )


def count_sheets_by_spot(pack: Pack, *, size: paper.Size) -> list[tuple[HallSpot, int]]:
    """Return each place in the hall that gets papers, with its number of sheets."""
    return [
        (spot, sum(page_group.page_count for page_group in page_groups))
        for spot, page_groups in _lay_out_by_spot(pack, size)
    ]


def draw_pdf(pack: Pack, *, size: paper.Size = "A4") -> bytes:
    """Print the whole pack; the PDF's outline names its parts.

    Sheets with a checksum in `pack.known_digests` are left out, because they are already
    printed. The file stores the checksums of all sheets, so that the next pack can skip them.
    """
    canvas = paper.start_canvas(size, _("Full set"), [pack.heading])
    canvas.set_omitted_digests(pack.known_digests)
    for spot, page_groups in _lay_out_by_spot(pack, size):
        if not pack.known_digests:
            canvas.bookmarkPage(spot.value)
            canvas.addOutlineEntry(str(spot.label), spot.value, 0)
        for page_group in page_groups:
            page_box = paper.get_page_box(size, is_landscape=page_group.is_landscape)
            canvas.setPageSize((page_box.width, page_box.height))
            page_group.draw(canvas)
    if pack.known_digests.issuperset(canvas.page_digests):
        raise PaperRefused(_("No sheets have changed since the last set."))
    canvas.setKeywords(" ".join([_DIGESTS_KEYWORD, *canvas.page_digests]))
    return paper.finish_canvas(canvas)


def count_changed_sheets(pack: Pack, *, size: paper.Size) -> int:
    """Count the sheets that differ from those of the previous pack; this draws all sheets."""
    canvas = paper.start_canvas(size, "", [pack.heading])
    for _spot, page_groups in _lay_out_by_spot(pack, size):
        for page_group in page_groups:
            page_group.draw(canvas)
    return sum(digest not in pack.known_digests for digest in canvas.page_digests)


def parse_page_digests(pdf: bytes) -> frozenset[str]:
    """Return the digests of all sheets of a pack, from the bytes of its file."""
    match = re.search(
        rb"/Keywords \(" + _DIGESTS_KEYWORD.encode() + rb"((?: [0-9a-f]{12})*)\)", pdf
    )
    return frozenset(match[1].decode().split()) if match else frozenset()


def create_pack_kinds(kinds: Sequence[PaperKind]) -> tuple[PaperKind, PaperKind]:
    """Return the two kinds of paper that combine others: the pack, and its changed sheets."""

    def build_whole_pack(snapshot: SessionSnapshot) -> Pack:
        table_kinds = [kind for kind in kinds if kind.table_need is not None]
        needed_names = {
            kind.name
            for kind in table_kinds
            if kind.table_need and kind.table_need.condition(snapshot)
        }
        return build_pack(
            snapshot, select_pack_kinds(snapshot.session.event, kinds, needed_names)
        )

    def build_changed_pack(snapshot: SessionSnapshot) -> Pack:
        last_pack = find_last_pack(snapshot.session)
        return (
            follow_pack(build_whole_pack(snapshot), last_pack)
            if last_pack
            else build_whole_pack(snapshot)
        )

    common_fields: dict[str, Any] = {
        "group": PaperGroup.TABLES,
        "draw_pdf": draw_pdf,
        "shown_cards": ShownCards.NONE,
        "outdated_by": OutdatedBy.SEATS | OutdatedBy.NAMES,
        "is_on_request": True,
    }
    return (
        PaperKind(
            name=PACK_NAME,
            title=gettext_lazy("Full set"),
            blurb=gettext_lazy(
                "Everything for the room in one file, in the order you lay it out."
            ),
            build_sheet=build_whole_pack,
            **common_fields,
        ),
        PaperKind(
            name=CHANGED_SHEETS_NAME,
            title=gettext_lazy("Changed sheets"),
            blurb=gettext_lazy("Only the sheets that have changed since the last set."),
            build_sheet=build_changed_pack,
            describe_wait=_describe_wait_for_pack,
            **common_fields,
        ),
    )


def find_last_pack(session: Session) -> Paper | None:
    """Return the last pack that was made, complete or with only the changed sheets."""
    packs = Paper.objects.filter(
        session=session, kind__in=(PACK_NAME, CHANGED_SHEETS_NAME), state=Paper.State.READY
    )
    return packs.order_by("pk").last()


def follow_pack(pack: Pack, last_pack: Paper) -> Pack:
    """Return a pack without the sheets of the last pack, which are already printed."""
    return replace(pack, known_digests=_read_page_digests(last_pack))


def _read_page_digests(paper_of_pack: Paper) -> frozenset[str]:
    try:
        with paper_of_pack.file.open("rb") as pdf_file:
            return parse_page_digests(pdf_file.read())
    except FileNotFoundError:
        return frozenset()  # the file was deleted, so the sheets are unknown


def _describe_wait_for_pack(session: Session) -> str:
    return "" if find_last_pack(session) else _("print the full set")


def _lay_out_by_spot(pack: Pack, size: paper.Size) -> list[tuple[HallSpot, list[Pages]]]:
    """Return the pages for each place in the hall: slips sorted by table, then other papers."""
    layouts_by_spot: dict[HallSpot, list[Pages | Slips]] = {spot: [] for spot in HallSpot}
    for kind, sheets in pack.papers:
        if kind.hall_spot is not None and kind.lay_out is not None:
            layouts_by_spot[kind.hall_spot].append(kind.lay_out(sheets, size=size))
    page_box = paper.get_page_box(size)
    return [
        (spot, _stack_slips(layouts, page_box))
        for spot, layouts in layouts_by_spot.items()
        if layouts
    ]


def _stack_slips(layouts: Sequence[Pages | Slips], page: Box) -> list[Pages]:
    slip_layouts = [page_layout for page_layout in layouts if isinstance(page_layout, Slips)]
    page_layouts = [page_layout for page_layout in layouts if isinstance(page_layout, Pages)]
    return (
        [layout.lay_out_by_table(slip_layouts, page), *page_layouts]
        if slip_layouts
        else page_layouts
    )
