"""Queries for the rows of a session's seating, used by `scoring.sittings`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from scoring.models import Result, Ruling
from tournaments.models import Place, Section, Sitting
from tournaments.models.seating import SEATS


@dataclass(frozen=True, slots=True)
class SittingSelection:
    """A selection of sittings: one table, a board group, single sittings, or several of these.

    It is false if the whole session is read.
    """

    only: tuple[str, int] | None = None  # a section's letter, and the number of a table
    group: int | None = None
    also: frozenset[int] = frozenset()  # keys of sittings
    neighbours: bool = False  # the whole section of the table `only`, too

    def __bool__(self) -> bool:
        return self.only is not None or self.group is not None or bool(self.also)

    def choose(self, sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
        """Filter the sittings of the selection, and the neighbours of its table."""
        chosen = Q(pk__in=self.also) if self.also else Q()
        if self.group is not None:  # wrong boards may be of any group
            chosen |= Q(board_group=self.group) | ~Q(strays=[])
        if self.only is not None:
            letter, number = self.only
            of_section = Q(section__letter=letter)
            chosen |= of_section if self.neighbours else of_section & Q(table=number)
        return sittings.filter(chosen)

    def has(self, row: Sitting) -> bool:
        """Return whether a sitting is in the selection, not only a neighbour of its table."""
        if not self.neighbours:
            return True
        plays_group = self.group is not None and (
            row.board_group == self.group or bool(row.strays)
        )
        return plays_group or row.pk in self.also or self._is_at_table(row)

    def _is_at_table(self, row: Sitting) -> bool:
        return (row.section.letter, row.table) == self.only


def sections_of(session: int) -> QuerySet[Section]:
    """Return the sections of a session."""
    return Section.objects.filter(session=session).order_by("letter")


def sittings_of(session: int) -> QuerySet[Sitting]:
    """Return the sittings of a session, by section, round and table."""
    found = Sitting.objects.filter(section__session=session)
    return found.order_by("section__letter", "round", "table")


def sittings_again(session: int) -> bool:
    """Return whether the four of a sitting played its board group before in the session."""
    same = Sitting.objects.filter(
        section=OuterRef("section"), board_group=OuterRef("board_group"), pk__lt=OuterRef("pk")
    )
    for seat in SEATS:
        same = same.filter(reduce(or_, (Q(**{seat: OuterRef(each)}) for each in SEATS)))
    return Sitting.objects.filter(Exists(same), section__session=session).exists()


def places_of(session: int) -> QuerySet[Place]:
    """Return the places of a session, by section and number, with their entries."""
    rows = Place.objects.filter(section__session=session)
    return rows.select_related("section", "entry").order_by("section__letter", "number")


def places_seated(session: int, sittings: Iterable[Sitting]) -> QuerySet[Place]:
    """Return the places of a session that sit in some of its sittings."""
    seats = ((row.north_id, row.south_id, row.east_id, row.west_id) for row in sittings)
    return places_of(session).filter(pk__in={place for four in seats for place in four})


def results_of(session: int) -> QuerySet[Any]:
    """Return the results of a session, also cleared ones, those of earlier deals first.

    Each comes once for every ruling in force on it, with the ruling's key and kind as
    `ruling_id` and `ruling_kind`; both are None if there is no ruling.
    """
    return _with_rulings(Result.objects.filter(sitting__section__session=session))


def results_at(sittings: Iterable[Sitting]) -> QuerySet[Any]:
    """Return the results of some sittings, in the same format as `results_of`."""
    return _with_rulings(Result.objects.filter(sitting__in=[row.pk for row in sittings]))


def _with_rulings(results: QuerySet[Result]) -> QuerySet[Any]:
    in_force = FilteredRelation("rulings", condition=Q(rulings__withdrawn_at__isnull=True))
    return results.annotate(
        in_force=in_force, ruling_id=F("in_force__id"), ruling_kind=F("in_force__kind")
    ).order_by("deal")


def ruled_plays_of(session: int) -> QuerySet[Ruling, tuple[int, int, int, str]]:
    """Return the plays with a ruling in force: sitting, board, deal and kind of the ruling."""
    rulings = Ruling.objects.in_force().filter(session=session, result__isnull=False)
    return rulings.values_list("result__sitting", "result__board", "result__deal", "kind")
