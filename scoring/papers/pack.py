"""The pack: all papers that the hall needs in one file, in the order of laying them out.

First the papers for the door, then those of each table, then those with the boards, then those
for the wall. Papers that cannot be made yet are left out. After a change a new pack has only
the sheets that differ from those in the hall.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import laying, paper
from printing.box import Box
from printing.kinds import Cards, Follows, Group, PaperKind, Spot
from printing.laying import Pages, Slips
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.models import Paper
from scoring.papers.timing import waits_for
from scoring.sheets.headings import heading
from scoring.sittings import SeatedSession
from tournaments.models import Event, Session

PACK, CHANGED = "pack", "pack_changed"
_MARKS = "sheets"
"""The word in the PDF's keywords before the checksums of its sheets."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The sheets to print of each kind of paper."""

    heading: Heading
    papers: tuple[tuple[PaperKind, Any], ...]
    before: frozenset[str] = frozenset()  # checksums of the sheets in the hall


def laid_out(
    event: Event, kinds: Iterable[PaperKind], needed: Collection[str]
) -> list[PaperKind]:
    """Return the kinds of paper for the hall; those that tables need only if `needed`."""
    return [
        kind
        for kind in kinds
        if kind.spot is not None
        and kind.fits(event)
        and (kind.need is None or kind.name in needed)
    ]


def packed(found: SeatedSession, kinds: Iterable[PaperKind]) -> Pack:
    """Return a pack of some kinds of paper, without those that have to wait."""
    ready = [kind for kind in kinds if not waits_for(found.session, kind)]
    return Pack(heading(found.session), tuple((kind, kind.sheet(found)) for kind in ready))


def counted(pack: Pack, *, size: paper.Size) -> list[tuple[Spot, int]]:
    """Count the sheets for each spot of the hall."""
    return [(spot, sum(each.count for each in pages)) for spot, pages in _laid(pack, size)]


def draw(pack: Pack, *, size: paper.Size = "A4") -> bytes:
    """Print the whole pack; the PDF's outline names its parts.

    If the pack follows another one, only the sheets that differ are printed. The file stores
    checksums of all sheets of the pack, for the next one.
    """
    canvas = paper.start(size, _("Pack of papers"), [pack.heading])
    canvas.leave_out(pack.before)
    for spot, papers in _laid(pack, size):
        if not pack.before:
            canvas.bookmarkPage(spot.value)
            canvas.addOutlineEntry(str(spot.label), spot.value, 0)
        for each in papers:
            page = paper.page_box(size, landscape=each.landscape)
            canvas.setPageSize((page.width, page.height))
            each.draw(canvas)
    if pack.before.issuperset(canvas.sheets):
        raise PaperRefused(_("No sheet differs from those of the last pack."))
    canvas.setKeywords(" ".join([_MARKS, *canvas.sheets]))
    return paper.finish(canvas)


def differing(pack: Pack, *, size: paper.Size) -> int:
    """Count the sheets that differ from those of the pack before, by drawing all of them."""
    canvas = paper.start(size, "", [pack.heading])
    for _spot, papers in _laid(pack, size):
        for each in papers:
            each.draw(canvas)
    return sum(sheet not in pack.before for sheet in canvas.sheets)


def marks_in(pdf: bytes) -> frozenset[str]:
    """Return the checksums of all sheets of a pack, from its file."""
    found = re.search(rb"/Keywords \(" + _MARKS.encode() + rb"((?: [0-9a-f]{12})*)\)", pdf)
    return frozenset(found[1].decode().split()) if found else frozenset()


def of(kinds: Sequence[PaperKind]) -> tuple[PaperKind, PaperKind]:
    """Return the paper kinds of the pack and of its sheets that changed, made of some kinds."""

    def whole(found: SeatedSession) -> Pack:
        needs = [kind for kind in kinds if kind.need is not None]
        needed = {kind.name for kind in needs if kind.need and kind.need.when(found)}
        return packed(found, laid_out(found.session.event, kinds, needed))

    def changed(found: SeatedSession) -> Pack:
        last = last_pack(found.session)
        return after(whole(found), last) if last else whole(found)

    shared: dict[str, Any] = {
        "group": Group.TABLES,
        "draw": draw,
        "shows_cards": Cards.NONE,
        "follows": Follows.SEATS | Follows.NAMES,
        "on_request": True,
    }
    return (
        PaperKind(
            name=PACK,
            title=gettext_lazy("Pack of papers"),
            blurb=gettext_lazy(
                "All that the room needs, in one file and in the order of laying out."
            ),
            sheet=whole,
            **shared,
        ),
        PaperKind(
            name=CHANGED,
            title=gettext_lazy("Sheets that differ"),
            blurb=gettext_lazy("Of the pack what is not as it was printed."),
            sheet=changed,
            waits=_for_a_pack,
            **shared,
        ),
    )


def last_pack(session: Session) -> Paper | None:
    """Return the pack that was made last, whole or only the sheets that differed."""
    made = Paper.objects.filter(
        session=session, kind__in=(PACK, CHANGED), state=Paper.State.READY
    )
    return made.order_by("pk").last()


def after(pack: Pack, last: Paper) -> Pack:
    """Return the pack that replaces another one in the hall."""
    return replace(pack, before=_marks_of(last))


def _marks_of(paper_row: Paper) -> frozenset[str]:
    try:
        with paper_row.file.open("rb") as file:
            return marks_in(file.read())
    except FileNotFoundError:
        return frozenset()  # it was deleted, so its sheets are unknown


def _for_a_pack(session: Session) -> str:
    return "" if last_pack(session) else _("the pack")


def _laid(pack: Pack, size: paper.Size) -> list[tuple[Spot, list[Pages]]]:
    """Return the laid-out pages of each spot, with the slips stacked by table first."""
    spots: dict[Spot, list[Pages | Slips]] = {spot: [] for spot in Spot}
    for kind, sheets in pack.papers:
        if kind.spot is not None and kind.lay is not None:
            spots[kind.spot].append(kind.lay(sheets, size=size))
    page = paper.page_box(size)
    return [(spot, _pages(laid, page)) for spot, laid in spots.items() if laid]


def _pages(laid: Sequence[Pages | Slips], page: Box) -> list[Pages]:
    slips = [each for each in laid if isinstance(each, Slips)]
    whole = [each for each in laid if isinstance(each, Pages)]
    return [laying.heaped(slips, page), *whole] if slips else whole
