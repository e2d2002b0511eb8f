"""A person's own page: evenings, partners, and splits by seat and trumps, added up exactly.

The number of questions does not grow with evenings: each evening's figures are kept beside its
standings (`seasons.people.services`), and only what is over and shown is among them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from boards.whist import Seat, Suit
from boards.whist.seats import Side
from clubs.models import Player
from scoring.models import Standing
from seasons.grades.cells import UNKNOWN, Kept, Split, Sums
from seasons.grades.comparing import SEATED
from seasons.people.models import EntryFigures
from seasons.people.sheets.records import shown_entries
from tournaments.models import Entry, EntryPlayer

LISTED = 20
"""So many evenings stand on the page itself, the newest ones."""
SEATS = ("N", "E", "S", "W", "NS", "EW")


class OwnEvening(NamedTuple):
    """One evening: when, where it came of how many, and the tricks above the others."""

    event: int
    slug: str
    name: str
    date: Date
    number: int
    entry: int
    contest: str
    version: int | None
    partners: str = ""
    rank: int | None = None
    tied: bool = False
    score: Fraction | None = None
    percent: Fraction | None = None
    boards: int = 0
    above: Fraction | None = None

    @property
    def a_board(self) -> Fraction | None:
        """Tricks above the others, a board."""
        return self.above / self.boards if self.above is not None and self.boards else None


@dataclass(frozen=True, slots=True)
class NamedSplit:
    """A split and what it is called."""

    name: str
    split: Split


@dataclass(frozen=True, slots=True)
class OwnPage:
    """All of it; every table of splits adds up to `whole`."""

    whole: Split | None
    evenings: tuple[OwnEvening, ...]
    partners: tuple[NamedSplit, ...]
    seats: tuple[NamedSplit, ...]
    trumps: tuple[NamedSplit, ...]
    behind: tuple[int, ...]
    """Events whose figures are not worked out yet, or not anew after a correction."""

    @property
    def listed(self) -> tuple[OwnEvening, ...]:
        """The evenings that stand on the page."""
        return self.evenings[:LISTED]


Who = tuple[tuple[int, ...], str]

EVENING = (
    *("event", "event__slug", "event__name", "event__date", "number", "pk"),
    *("event__contest", "event__ranking__version"),
)


def own_page(player: Player) -> OwnPage:
    """Read all evenings of a person that are over and that players may see; five questions."""
    rows = shown_entries(player).order_by("-event__date", "-event_id").values_list(*EVENING)
    evenings = [OwnEvening(*row) for row in rows]
    standings = _standings(player)
    mine = {each.entry for each in evenings}
    figures = {entry: row for entry, row in _figures(player).items() if entry in mine}
    names = _names(evenings, figures, player)
    told = [_evening(each, standings, figures, names) for each in evenings]
    sums = _summed(evenings, figures, names)
    whole = sums["whole"].splits()
    return OwnPage(
        whole=whole[0] if whole else None,
        evenings=tuple(told),
        partners=tuple(NamedSplit(_called(s.key), s) for s in sums["partner"].splits()),
        seats=tuple(_in_order(sums["seat"].splits(), SEATS, _seat)),
        trumps=tuple(_in_order(sums["trump"].splits(), ("S", "H", "D", "C", UNKNOWN), _trump)),
        behind=tuple(
            each.event
            for each in evenings
            if each.contest in SEATED and figures.get(each.entry, (None,))[0] != each.version
        ),
    )


def _summed(
    evenings: Sequence[OwnEvening],
    figures: Mapping[int, tuple[int, Kept]],
    names: Mapping[int, Who],
) -> dict[str, Sums]:
    """Add everything up as a whole, and by partner, seat and trump suit."""
    sums = {kind: Sums() for kind in ("whole", "partner", "seat", "trump")}
    for each in evenings:
        if each.entry not in figures:
            continue
        _version, kept = figures[each.entry]
        for cell in kept.cells:
            together, seat, trump = cell[:3]
            partner = names.get(together or each.entry, ((), ""))
            keys = {"whole": "", "partner": partner, "seat": seat, "trump": trump}
            for kind, key in keys.items():
                sums[kind].add(key, each.event, kept.parts, cell)
    return sums


def _standings(player: Player) -> dict[int, tuple[Any, ...]]:
    rows = Standing.objects.filter(entry__players=player).order_by()
    columns = ("entry", "rank", "tied", "score", "percent", "boards")
    return {row[0]: row[1:] for row in rows.values_list(*columns)}


def _figures(player: Player) -> dict[int, tuple[int, Kept]]:
    rows = EntryFigures.objects.filter(entry__players=player)
    return {
        entry: (version, Kept(int(parts), tuple(map(tuple, cells))))
        for entry, version, parts, cells in rows.values_list(
            "entry", "version", "parts", "cells"
        )
    }


def _names(
    evenings: Sequence[OwnEvening], figures: Mapping[int, tuple[int, Kept]], player: Player
) -> dict[int, Who]:
    """Who sat with the person: in an own entry the others, or whole entries of one each."""
    single = {cell[0] for _version, kept in figures.values() for cell in kept.cells if cell[0]}
    mine = Entry.objects.filter(players=player).values("pk")
    rows = EntryPlayer.objects.filter(Q(entry__in=mine) | Q(entry__in=single))
    together: dict[int, list[int]] = defaultdict(list)
    for entry, other in rows.order_by("entry", "order").values_list("entry", "player"):
        if other != player.pk:
            together[entry].append(other)
    people = Player.objects.only("name", "shown").in_bulk(
        {other for others in together.values() for other in others}
    )
    return {
        entry: (
            tuple(sorted(others)),
            " & ".join(people[other].shown_name for other in others),
        )
        for entry, others in together.items()
    }


def _evening(
    each: OwnEvening,
    standings: Mapping[int, tuple[Any, ...]],
    figures: Mapping[int, tuple[int, Kept]],
    names: Mapping[int, Who],
) -> OwnEvening:
    found = each._replace(partners=names.get(each.entry, ((), ""))[1])
    if each.entry in standings:
        rank, tied, score, percent, boards = standings[each.entry]
        found = found._replace(
            rank=rank if boards else None,
            tied=tied,
            score=Fraction(score),
            percent=Fraction(percent) if percent else None,
        )
    if each.entry in figures and (kept := figures[each.entry][1]).cells:
        found = found._replace(boards=kept.boards, above=kept.above)
    return found


def _in_order(splits: Sequence[Split], order: Sequence[str], name: Any) -> list[NamedSplit]:
    placed = sorted(splits, key=lambda each: order.index(str(each.key)))
    return [NamedSplit(name(str(each.key)), each) for each in placed]


def _called(key: object) -> str:
    name = key[1] if isinstance(key, tuple) else ""
    return str(name) or _("alone")


def _seat(key: str) -> str:
    return Side(key).word if key in ("NS", "EW") else Seat(key).word


def _trump(key: str) -> str:
    return _("not known") if key == UNKNOWN else Suit(key).word
