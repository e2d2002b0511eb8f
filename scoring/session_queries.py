"""Queries for the rows of a session's seating, used by `scoring.session_snapshot`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Any

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from scoring.models import Outcome, Result, Ruling
from scoring.ruling_effects import PlayRuling, classify_rulings
from tournaments.models import Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements.stray_boards import LEFT_OUT_MARKER


@dataclass(frozen=True, slots=True)
class SittingSelection:
    """A selection of sittings: one table, a board group, single sittings, or several of
    these.

    An empty selection is falsy and means the whole session.
    """

    table_key: tuple[str, int] | None = None  # a section's letter, and the number of a table
    board_group: int | None = None
    extra_sitting_ids: frozenset[int] = frozenset()  # keys of sittings
    # Whether the other tables in the section of `table_key` are loaded, without their results.
    should_load_whole_section: bool = False

    def __bool__(self) -> bool:
        return (
            self.table_key is not None
            or self.board_group is not None
            or bool(self.extra_sitting_ids)
        )

    def filter_sittings(self, sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
        """Return the sittings to load, including others of the section if that is selected."""
        condition = Q(pk__in=self.extra_sitting_ids) if self.extra_sitting_ids else Q()
        if self.board_group is not None:  # a wrongly played board may be of this group
            condition |= Q(board_group=self.board_group) | ~Q(strays=[])
        if self.table_key is not None:
            section_letter, table_number = self.table_key
            section_condition = Q(section__letter=section_letter)
            condition |= (
                section_condition
                if self.should_load_whole_section
                else section_condition & Q(table=table_number)
            )
        return sittings.filter(condition)

    def is_selected(self, sitting: Sitting) -> bool:
        """Return whether a sitting is selected; others may be loaded with the section."""
        if not self.should_load_whole_section:
            return True
        can_play_board_group = self.board_group is not None and (
            sitting.board_group == self.board_group or bool(sitting.strays)
        )
        return (
            can_play_board_group
            or sitting.pk in self.extra_sitting_ids
            or self._is_at_table(sitting)
        )

    def _is_at_table(self, sitting: Sitting) -> bool:
        return (sitting.section.letter, sitting.table) == self.table_key


def query_sections(session_id: int) -> QuerySet[Section]:
    """Return the sections of a session."""
    return Section.objects.filter(session=session_id).order_by("letter")


def query_sittings(session_id: int) -> QuerySet[Sitting]:
    """Return the sittings of a session, by section, round and table."""
    sittings = Sitting.objects.filter(section__session=session_id)
    return sittings.order_by("section__letter", "round", "table")


def has_repeated_foursome(session_id: int) -> bool:
    """Return whether the same four players play a board group twice in the session."""
    repeated_sittings = Sitting.objects.filter(
        section=OuterRef("section"), board_group=OuterRef("board_group"), pk__lt=OuterRef("pk")
    )
    for seat in SEATS:
        repeated_sittings = repeated_sittings.filter(
            reduce(or_, (Q(**{seat: OuterRef(other_seat)}) for other_seat in SEATS))
        )
    return Sitting.objects.filter(
        Exists(repeated_sittings), section__session=session_id
    ).exists()


def query_places(session_id: int) -> QuerySet[Place]:
    """Return the places of a session, by section and number, with their entries."""
    places = Place.objects.filter(section__session=session_id)
    return places.select_related("section", "entry").order_by("section__letter", "number")


def query_places_of_sittings(session_id: int, sittings: Iterable[Sitting]) -> QuerySet[Place]:
    """Return the places that have a seat in some of a session's sittings."""
    place_ids_of_sittings = (
        (sitting.north_id, sitting.south_id, sitting.east_id, sitting.west_id)
        for sitting in sittings
    )
    return query_places(session_id).filter(
        pk__in={place_id for place_ids in place_ids_of_sittings for place_id in place_ids}
    )


def query_results(session_id: int) -> QuerySet[Any]:
    """Return the results of a session, including cleared ones, with earlier deals first.

    A result is returned once for each ruling in force on it. The ruling's key and kind are in
    `ruling_id` and `ruling_kind`. Both are None if there is no ruling.
    """
    return _annotate_rulings(Result.objects.filter(sitting__section__session=session_id))


def query_results_of_sittings(sittings: Iterable[Sitting]) -> QuerySet[Any]:
    """Return the results of some sittings, in the same format as `query_results`."""
    return _annotate_rulings(
        Result.objects.filter(sitting__in=[sitting.pk for sitting in sittings])
    )


def _annotate_rulings(results: QuerySet[Result]) -> QuerySet[Any]:
    rulings_in_force = FilteredRelation(
        "rulings", condition=Q(rulings__withdrawn_at__isnull=True)
    )
    return results.annotate(
        in_force=rulings_in_force, ruling_id=F("in_force__id"), ruling_kind=F("in_force__kind")
    ).order_by("deal")


def query_ruled_plays(session_id: int) -> QuerySet[Ruling, tuple[int, int, int, str]]:
    """Return the plays with a ruling in force: sitting, board, deal and kind of the ruling."""
    rulings = Ruling.objects.exclude_withdrawn().filter(
        session=session_id, result__isnull=False
    )
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
    latest_deal_numbers_by_play = {
        (sitting, board_number): deal_number
        for sitting, board_number, deal_number in entered_results.values_list(
            "sitting", "board", "deal"
        )
    }
    ruled_plays = classify_rulings(
        starmap(PlayRuling, query_ruled_plays(session.pk)), latest_deal_numbers_by_play
    )
    expected_count = sum(
        sitting_count
        * (
            session.boards_a_round
            - sum(
                actual_board_number == LEFT_OUT_MARKER
                for _planned_board_number, actual_board_number in stray_boards
            )
        )
        for stray_boards, sitting_count in played_sittings.order_by()
        .values_list("strays")
        .annotate(Count("pk"))
    )
    return int(expected_count) - len(
        (latest_deal_numbers_by_play.keys() - ruled_plays.plays_awaiting_new_deal)
        | ruled_plays.settled_plays
    )
