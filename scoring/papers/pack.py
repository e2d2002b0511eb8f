"""The pack: every paper that the room needs in one file, in the order in which it is laid out.

First what hangs at the door, then table after table what lies on it, then what goes with the
boards, then the wall. Papers whose time has not come are left out.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import laying, paper
from printing.box import Box
from printing.kinds import Cards, Follows, Group, PaperKind, Spot
from printing.laying import Pages, Slips
from printing.values import Heading
from scoring.papers.timing import waits_for
from scoring.sheets.headings import heading
from scoring.sittings import SeatedSession
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class Pack:
    """What is printed of each kind of paper."""

    heading: Heading
    papers: tuple[tuple[PaperKind, Any], ...]


def laid_out(
    event: Event, kinds: Iterable[PaperKind], needed: Collection[str]
) -> list[PaperKind]:
    """The kinds of paper that are laid out in the room, where the tables need some."""
    return [
        kind
        for kind in kinds
        if kind.spot is not None
        and kind.fits(event)
        and (kind.need is None or kind.name in needed)
    ]


def packed(found: SeatedSession, kinds: Iterable[PaperKind]) -> Pack:
    """Gather what is printed of some kinds of paper; what has to wait is left out."""
    ready = [kind for kind in kinds if not waits_for(found.session, kind)]
    return Pack(heading(found.session), tuple((kind, kind.sheet(found)) for kind in ready))


def counted(pack: Pack, *, size: paper.Size) -> list[tuple[Spot, int]]:
    """How many sheets go where."""
    return [(spot, sum(each.count for each in pages)) for spot, pages in _laid(pack, size)]


def draw(pack: Pack, *, size: paper.Size = "A4") -> bytes:
    """Print the whole pack; its parts are found by name in the file."""
    canvas = paper.start(size, _("Pack of papers"), [pack.heading])
    for spot, papers in _laid(pack, size):
        canvas.bookmarkPage(spot.value)
        canvas.addOutlineEntry(str(spot.label), spot.value, 0)
        for each in papers:
            page = paper.page_box(size, landscape=each.landscape)
            canvas.setPageSize((page.width, page.height))
            each.draw(canvas)
    return paper.finish(canvas)


def of(kinds: Sequence[PaperKind]) -> PaperKind:
    """The pack of some kinds of paper, as a kind of its own."""

    def sheet(found: SeatedSession) -> Pack:
        session = found.session
        needs = [kind for kind in kinds if kind.need is not None]
        needed = {kind.name for kind in needs if kind.need and kind.need.when(session)}
        return packed(found, laid_out(session.event, kinds, needed))

    return PaperKind(
        name="pack",
        title=gettext_lazy("Pack of papers"),
        blurb=gettext_lazy(
            "All that the room needs, in one file and in the order of laying out."
        ),
        group=Group.TABLES,
        sheet=sheet,
        draw=draw,
        shows_cards=Cards.NONE,
        follows=Follows.SEATS | Follows.NAMES,
        on_request=True,
    )


def _laid(pack: Pack, size: paper.Size) -> list[tuple[Spot, list[Pages]]]:
    """Lay everything out; slips are heaped table by table."""
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
