"""The pack: all papers that the hall needs in one file, in the order of laying them out.

Papers for the door come first, then those of each table, those with the boards, and those for
the wall. Papers that cannot be made yet are omitted. After a change a new pack has only the
sheets that differ from those in the hall.
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

PACK, CHANGED = "pack", "pack_changed"
_DIGESTS_KEYWORD = "sheets"
"""The word before the digests of the sheets in the keywords of the PDF."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The sheets to print of each kind of paper."""

    heading: Heading
    papers: tuple[tuple[PaperKind, Any], ...]
    known_digests: frozenset[str] = frozenset()  # checksums of the sheets in the hall


def select_pack_kinds(
    event: Event, kinds: Iterable[PaperKind], needed_kinds: Collection[str]
) -> list[PaperKind]:
    """Return the kinds of paper laid out in the hall.

    Kinds that tables need are included only if named in `needed_kinds`.
    """
    return [
        kind
        for kind in kinds
        if kind.hall_spot is not None
        and kind.is_offered(event)
        and (kind.need is None or kind.name in needed_kinds)
    ]


def build_pack(snapshot: SessionSnapshot, kinds: Iterable[PaperKind]) -> Pack:
    """Build a pack of some kinds of paper, without the papers that cannot be made yet."""
    ready_kinds = [kind for kind in kinds if not describe_wait(snapshot.session, kind)]
    return Pack(
        build_heading(snapshot.session),
        tuple((kind, kind.build_sheet(snapshot)) for kind in ready_kinds),
    )


def count_sheets_by_spot(pack: Pack, *, size: paper.Size) -> list[tuple[HallSpot, int]]:
    """Count the sheets for each spot of the hall."""
    return [
        (spot, sum(each.count for each in pages))
        for spot, pages in _lay_out_by_spot(pack, size)
    ]


def draw_pdf(pack: Pack, *, size: paper.Size = "A4") -> bytes:
    """Print the whole pack; the PDF's outline names its parts.

    If the pack follows another one, only the sheets that differ are printed. The file stores
    checksums of all sheets of the pack, for the next one.
    """
    canvas = paper.start_canvas(size, _("Full set"), [pack.heading])
    canvas.set_omitted_digests(pack.known_digests)
    for spot, papers in _lay_out_by_spot(pack, size):
        if not pack.known_digests:
            canvas.bookmarkPage(spot.value)
            canvas.addOutlineEntry(str(spot.label), spot.value, 0)
        for pages in papers:
            page = paper.get_page_box(size, is_landscape=pages.landscape)
            canvas.setPageSize((page.width, page.height))
            pages.draw(canvas)
    if pack.known_digests.issuperset(canvas.page_digests):
        raise PaperRefused(_("No sheets have changed since the last set."))
    canvas.setKeywords(" ".join([_DIGESTS_KEYWORD, *canvas.page_digests]))
    return paper.finish_canvas(canvas)


def count_changed_sheets(pack: Pack, *, size: paper.Size) -> int:
    """Count the sheets that differ from those of the previous pack; this draws all sheets."""
    canvas = paper.start_canvas(size, "", [pack.heading])
    for _spot, papers in _lay_out_by_spot(pack, size):
        for pages in papers:
            pages.draw(canvas)
    return sum(sheet not in pack.known_digests for sheet in canvas.page_digests)


def parse_page_digests(pdf: bytes) -> frozenset[str]:
    """Return the digests of all sheets of a pack, from the bytes of its file."""
    match = re.search(
        rb"/Keywords \(" + _DIGESTS_KEYWORD.encode() + rb"((?: [0-9a-f]{12})*)\)", pdf
    )
    return frozenset(match[1].decode().split()) if match else frozenset()


def create_pack_kinds(kinds: Sequence[PaperKind]) -> tuple[PaperKind, PaperKind]:
    """Return two kinds of paper made of others: the whole pack, and its changed sheets."""

    def whole(snapshot: SessionSnapshot) -> Pack:
        needed_kinds = [kind for kind in kinds if kind.need is not None]
        needed = {
            kind.name for kind in needed_kinds if kind.need and kind.need.condition(snapshot)
        }
        return build_pack(snapshot, select_pack_kinds(snapshot.session.event, kinds, needed))

    def restrict_pack(snapshot: SessionSnapshot) -> Pack:
        last = find_last_pack(snapshot.session)
        return follow_pack(whole(snapshot), last) if last else whole(snapshot)

    shared_fields: dict[str, Any] = {
        "group": PaperGroup.TABLES,
        "draw_pdf": draw_pdf,
        "shown_cards": ShownCards.NONE,
        "outdated_by": OutdatedBy.SEATS | OutdatedBy.NAMES,
        "on_request": True,
    }
    return (
        PaperKind(
            name=PACK,
            title=gettext_lazy("Full set"),
            blurb=gettext_lazy("Everything for the room in one file, in order of laying out."),
            build_sheet=whole,
            **shared_fields,
        ),
        PaperKind(
            name=CHANGED,
            title=gettext_lazy("Changed sheets"),
            blurb=gettext_lazy("Only the sheets that have changed since the last set."),
            build_sheet=restrict_pack,
            describe_wait=_describe_wait_for_pack,
            **shared_fields,
        ),
    )


def find_last_pack(session: Session) -> Paper | None:
    """Return the pack that was made last, whole or only the sheets that differed."""
    packs = Paper.objects.filter(
        session=session, kind__in=(PACK, CHANGED), state=Paper.State.READY
    )
    return packs.order_by("pk").last()


def follow_pack(pack: Pack, last: Paper) -> Pack:
    """Return a pack that omits the sheets of the last pack, which are in the hall already."""
    return replace(pack, known_digests=_read_page_digests(last))


def _read_page_digests(paper_row: Paper) -> frozenset[str]:
    try:
        with paper_row.file.open("rb") as file:
            return parse_page_digests(file.read())
    except FileNotFoundError:
        return frozenset()  # it was deleted, so its sheets are unknown


def _describe_wait_for_pack(session: Session) -> str:
    return "" if find_last_pack(session) else _("print the full set")


def _lay_out_by_spot(pack: Pack, size: paper.Size) -> list[tuple[HallSpot, list[Pages]]]:
    """Return the laid-out pages of each spot, with the slips stacked by table first."""
    spots: dict[HallSpot, list[Pages | Slips]] = {spot: [] for spot in HallSpot}
    for kind, sheets in pack.papers:
        if kind.hall_spot is not None and kind.lay_out is not None:
            spots[kind.hall_spot].append(kind.lay_out(sheets, size=size))
    page = paper.get_page_box(size)
    return [(spot, _stack_slips(pages, page)) for spot, pages in spots.items() if pages]


def _stack_slips(pages: Sequence[Pages | Slips], page: Box) -> list[Pages]:
    slips = [each for each in pages if isinstance(each, Slips)]
    whole_pages = [each for each in pages if isinstance(each, Pages)]
    return [layout.lay_out_by_table(slips, page), *whole_pages] if slips else whole_pages
