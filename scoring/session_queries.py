"""Queries for the rows of a session's seating, used by `scoring.session_snapshot`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Any

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from scoring.models import Outcome, Result, Ruling
from scoring.ruling_effects import RuledPlay, classify_rulings
from tournaments.models import Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements.stray_boards import LEFT_OUT_BOARD


@dataclass(frozen=True, slots=True)
class SittingSelection:
    """A selection of sittings: one table, a board group, single sittings, or several of
    these.

    An empty selection is falsy and means the whole session.
    """

    only_table: tuple[str, int] | None = None  # a section's letter, and the number of a table
    board_group: int | None = None
    extra_sittings: frozenset[int] = frozenset()  # keys of sittings
    with_neighbours: bool = False  # also the whole section of `only_table`

    def __bool__(self) -> bool:
        return (
            self.only_table is not None
            or self.board_group is not None
            or bool(self.extra_sittings)
        )

    def filter_sittings(self, sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
        """Filter the sittings of the selection, and the neighbours of its table."""
        condition = Q(pk__in=self.extra_sittings) if self.extra_sittings else Q()
        if self.board_group is not None:  # wrong boards may be of any group
            condition |= Q(board_group=self.board_group) | ~Q(strays=[])
        if self.only_table is not None:
            letter, number = self.only_table
            of_section = Q(section__letter=letter)
            condition |= of_section if self.with_neighbours else of_section & Q(table=number)
        return sittings.filter(condition)

    def is_selected(self, row: Sitting) -> bool:
        """Return whether a sitting is in the selection; a neighbour of its table is not."""
        if not self.with_neighbours:
            return True
        plays_board_group = self.board_group is not None and (
            row.board_group == self.board_group or bool(row.strays)
        )
        return plays_board_group or row.pk in self.extra_sittings or self._is_at_table(row)

    def _is_at_table(self, row: Sitting) -> bool:
        return (row.section.letter, row.table) == self.only_table


def query_sections(session: int) -> QuerySet[Section]:
    """Return the sections of a session."""
    return Section.objects.filter(session=session).order_by("letter")


def query_sittings(session: int) -> QuerySet[Sitting]:
    """Return the sittings of a session, by section, round and table."""
    sittings = Sitting.objects.filter(section__session=session)
    return sittings.order_by("section__letter", "round", "table")


def has_repeated_foursome(session: int) -> bool:
    """Return whether the same four players play a board group twice in the session."""
    repeated_sittings = Sitting.objects.filter(
        section=OuterRef("section"), board_group=OuterRef("board_group"), pk__lt=OuterRef("pk")
    )
    for seat in SEATS:
        repeated_sittings = repeated_sittings.filter(
            reduce(or_, (Q(**{seat: OuterRef(each)}) for each in SEATS))
        )
    return Sitting.objects.filter(Exists(repeated_sittings), section__session=session).exists()


def query_places(session: int) -> QuerySet[Place]:
    """Return the places of a session, by section and number, with their entries."""
    rows = Place.objects.filter(section__session=session)
    return rows.select_related("section", "entry").order_by("section__letter", "number")


def query_places_of_sittings(session: int, sittings: Iterable[Sitting]) -> QuerySet[Place]:
    """Return the places of a session that sit in some of its sittings."""
    seats = ((row.north_id, row.south_id, row.east_id, row.west_id) for row in sittings)
    return query_places(session).filter(pk__in={place for four in seats for place in four})


def query_results(session: int) -> QuerySet[Any]:
    """Return the results of a session, including cleared ones, with earlier deals first.

    Each result comes once for every ruling in force on it, with the ruling's key and kind as
    `ruling_id` and `ruling_kind`; both are None if there is no ruling.
    """
    return _annotate_rulings(Result.objects.filter(sitting__section__session=session))


def query_results_of_sittings(sittings: Iterable[Sitting]) -> QuerySet[Any]:
    """Return the results of some sittings, in the same format as `query_results`."""
    return _annotate_rulings(Result.objects.filter(sitting__in=[row.pk for row in sittings]))


def _annotate_rulings(results: QuerySet[Result]) -> QuerySet[Any]:
    rulings_in_force = FilteredRelation(
        "rulings", condition=Q(rulings__withdrawn_at__isnull=True)
    )
    return results.annotate(
        in_force=rulings_in_force, ruling_id=F("in_force__id"), ruling_kind=F("in_force__kind")
    ).order_by("deal")


def query_ruled_plays(session: int) -> QuerySet[Ruling, tuple[int, int, int, str]]:
    """Return the plays with a ruling in force: sitting, board, deal and kind of the ruling."""
    rulings = Ruling.objects.in_force().filter(session=session, result__isnull=False)
    return rulings.values_list("result__sitting", "result__board", "result__deal", "kind")


def count_missing_results(session: Session) -> int:
    """Count the results of a session not entered yet, as `SessionSnapshot.missing_result_count`
    does.
    """
    played_sittings = Sitting.objects.filter(
        section__session=session, **{f"{seat}__entry__isnull": False for seat in SEATS}
    )
    results = Result.objects.filter(sitting__section__session=session)
    entered_results = results.exclude(outcome=Outcome.CLEARED).order_by("deal")
    latest = {
        (sitting, board): deal
        for sitting, board, deal in entered_results.values_list("sitting", "board", "deal")
    }
    ruled = classify_rulings(starmap(RuledPlay, query_ruled_plays(session.pk)), latest)
    expected = sum(
        count
        * (
            session.boards_a_round
            - sum(played_board == LEFT_OUT_BOARD for _own, played_board in stray_boards)
        )
        for stray_boards, count in played_sittings.order_by()
        .values_list("strays")
        .annotate(Count("pk"))
    )
    return int(expected) - len(
        (latest.keys() - ruled.plays_awaiting_new_deal) | ruled.settled_plays
    )
