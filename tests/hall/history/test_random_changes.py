"""Random changes during play: undone and redone exactly, or refused with a reason.

A ledger in this test records for each score who sat in which seat and with which board when it
was entered. Retroactive changes are applied to it by its own rules.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import hall.history.undo
import hall.phones.services
import scoring.services
from boards.whist import WhistError
from clubs import audit
from clubs.models import Act
from clubs.undo import list_undoable_act_pks
from scoring.models import Outcome, Ranking, Result, ResultVersion, Ruling, Standing
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import SeatingChange, Section, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import (
    ExchangedPlaces,
    Incident,
    LateArrival,
    TurnedTable,
    UnplayableMovement,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.seating_snapshot import build_snapshot, load_movement_with_withdrawals
from tournaments.services import arrange_entries, create_entry, seat_section

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STEP_COUNT = 18
EVENT_SETUPS = [
    ("pairs", 9, "compass"),
    ("pairs", 9, "compass-rover"),
    ("pairs", 8, "compass-relay"),
    ("pairs", 7, "howell"),
    ("individual", 9, "whist-individual"),
    ("teams", 5, "howell-teams"),
]
PLAYERS_PER_ENTRY = {"pairs": 2, "individual": 1, "teams": 4}
SeatOccupants = tuple[tuple[int, int | None], ...]
RecordedPlay = tuple[SeatOccupants, int]  # who sat in the four seats, and the board


@build_once
def open_session(contest: str, count: int, movement: str) -> tuple[Session, User]:
    """Return a session in play, one board a round."""
    event, user = evenings.create_event(0, contest=contest)
    for number in range(count):
        names = [f"Player {number}{'abcd'[k]}" for k in range(PLAYERS_PER_ENTRY[contest])]
        create_entry(event=event, names=names, by=user)
    session = event.sessions.get()
    size_option = {"individual": "players"}.get(contest, contest)
    chosen_movement = build_named_movement(movement, **{size_option: count})
    seating = arrange_entries(chosen_movement, list(event.entries.order_by("number")))
    seat_section(
        session=session,
        movement=chosen_movement,
        entries_by_place=seating,
        boards_a_round=1,
        by=user,
    )
    return scoring.services.open_session(session=session, by=user), user


class RandomWalk:
    """One session, its random steps, and the invariants."""

    def __init__(self, session: Session, user: User, contest: str, chance: random.Random):
        self.session, self.user, self.chance = session, user, chance
        self.event, self.section = session.event, session.sections.get()
        self.contest = contest
        self.names = 0
        self.told = 0  # the last round that a change covers
        self.ledger: dict[int, RecordedPlay] = {}
        self.changes_with_states: dict[
            int, tuple[Incident, dict[str, Any]]
        ] = {}  # by change: the state before
        self.put_right: dict[int, dict[int, RecordedPlay]] = {}  # by change: what it altered
        self.done: Counter[str] = Counter()

    # ------------------------------------------------------------- acts

    def enter_score(self) -> None:
        """Let a table's phone or the director enter or change a score."""
        latest_round = scoring.services.find_last_scored_round(self.section)
        rows = [
            item
            for item in self.list_sittings()
            if item.round <= latest_round + 1 and is_played(item)
        ]
        if not rows:
            return
        sitting = self.chance.choice(rows[-6:])
        board = self.chance.choice(self.session.get_group_boards(sitting.board_group))
        by, via = self.choose_person(sitting)
        mark = self.chance.choice(["3", "6", "8", "-", "", "13"])
        scoring.services.record_result(
            sitting=sitting, board_number=board, mark=mark, seen_score=None, by=by, channel=via
        )
        result = Result.find_or_create_current_result(sitting, board)
        if result.pk:
            self.ledger[result.pk] = list_people(sitting), board

    def choose_person(self, sitting: Sitting) -> tuple[Any, str]:
        """Return the guest of the table's phone, or the director."""
        if self.chance.random() < 0.5:
            return self.user, ResultVersion.InputChannel.GRID
        links = hall.phones.services.create_table_links(session=self.session, by=self.user)
        link = next(link for link in links if link.table == sitting.table)
        return hall.phones.services.build_guest(link), ResultVersion.InputChannel.PHONE

    def make_ruling_or_penalty(self) -> None:
        """Make a ruling about a score, or a penalty."""
        if self.chance.random() < 0.3:
            entry = self.chance.choice(list(self.event.entries.all()))
            ruling_data: dict[str, Any] = {
                "kind": "penalty",
                "entry": entry,
                "session": self.session,
            }
            scoring.services.make_ruling(**ruling_data, amount="1", reason="late", by=self.user)
            return
        results = list(Result.objects.filter(outcome=Outcome.PLAYED))
        if results:
            result = self.chance.choice(results)
            scoring.services.make_ruling(
                kind=Ruling.Kind.AVERAGE, result=result, reason="noise", by=self.user
            )

    def undo_score(self) -> None:
        """Undo the last value of a score."""
        results = list(Result.objects.order_by("pk"))
        if results:
            result = self.chance.choice(results)
            scoring.services.undo_result(version=result.versions.last(), by=self.user)
            self.ledger[result.pk] = list_people(result.sitting), result.board

    def make_change(self) -> None:
        """Apply a random change in one of the ways that are offered."""
        rounds_played = scoring.services.find_last_scored_round(self.section)
        incident = self.choose_change(max(rounds_played, 1))
        if not isinstance(incident, LateArrival | Withdrawal):
            rounds_played = max(
                rounds_played,
                incident.round if isinstance(incident, WrongBoards) else incident.last_round,
            )
        try:
            continuations = list_continuations(
                load_movement_with_withdrawals(self.section), rounds_played, incident
            )
        except UnplayableMovement:
            return
        continuation = self.chance.choice(continuations)
        self.names += isinstance(incident, LateArrival)
        late_names = [
            f"Late {self.names}{'abcd'[k]}" for k in range(PLAYERS_PER_ENTRY[self.contest])
        ]
        state_before = self.read_state()
        session = scoring.services.apply_seating_change(
            section=self.section,
            rounds_played=rounds_played,
            incident=incident,
            continuation_key=continuation.key,
            incident_data={"kind": "late", "names": late_names, "round": 1},
            names=late_names if isinstance(incident, LateArrival) else [],
            by=self.user,
        )
        self.told = max(self.told, rounds_played)
        self.changes_with_states[session.pk] = incident, state_before
        self.apply_to_ledger(session, incident)
        self.done[continuation.key] += 1
        if self.chance.random() < 0.3:
            self.undo_and_redo()

    def choose_change(self, latest: int) -> Incident:
        movement = load_movement_with_withdrawals(self.section)
        occupied_places = [
            place
            for place in movement.occupied_places
            if place not in movement.withdrawn_places
        ]
        first_number = self.chance.randint(1, latest)
        last_round = self.chance.randint(first_number, latest)
        table = self.chance.randint(1, movement.table_count)
        place_number, other_place_number = self.chance.sample(occupied_places, 2)
        return self.chance.choice(
            [
                LateArrival(),
                LateArrival(),
                Withdrawal(place_number),
                TurnedTable(table, first_number, last_round),
                ExchangedPlaces(place_number, other_place_number, first_number, last_round),
                WrongBoards(first_number, table, self.chance.randint(1, movement.group_count)),
            ]
        )

    def undo_or_redo(self) -> None:
        """Undo or redo any act about seats or rulings."""
        acts = list(audit.list_acts(self.event))
        open_ways = list_undoable_act_pks(acts)
        kinds = ("seating.changed", "seating.restored", "ruling.made", "ruling.withdrawn")
        found_acts = [act for act in acts if act.pk in open_ways and act.action in kinds]
        if found_acts:
            self.undo_act(self.chance.choice(found_acts))

    def undo_and_redo(self) -> None:
        """Undo and redo the last change, and check that both are exact."""
        state_after = self.read_state()
        act = audit.list_acts(self.event).filter(action="seating.changed")[0]
        undoing_act = self.undo_act(act)
        self.undo_act(undoing_act)
        assert self.read_state() == state_after

    def undo_act(self, act: Act) -> Act:
        """Undo an act; the ledger follows if it was a change."""
        hall.history.undo.undo_event_act(event=self.event, act=act, by=self.user)
        number = act.back["given"].get("change")
        if act.action == "seating.changed":
            assert self.read_seating() == self.changes_with_states[number][1]["seating"]
            self.ledger |= self.put_right.pop(number)
        elif act.action == "seating.restored":
            seating_change = SeatingChange.objects.latest("pk")
            self.changes_with_states[seating_change.pk] = self.changes_with_states[number]
            self.apply_to_ledger(seating_change, self.changes_with_states[number][0])
        self.done[f"{act.action} back"] += 1
        return Act.objects.get(undoes=act)

    # ------------------------------------------------------------- retroactive changes

    def apply_to_ledger(self, seating_change: SeatingChange, happened: Incident) -> None:
        """Apply a director's retroactive change to the ledger."""
        changed_plays: dict[int, RecordedPlay] = {}
        for result in Result.objects.select_related("sitting"):
            occupants, board = self.ledger[result.pk]
            sitting = result.sitting
            match happened:
                case TurnedTable(table, first, last) if (
                    sitting.table == table and first <= sitting.round <= last
                ):
                    north, east, south, west = occupants
                    changed_plays[result.pk] = (east, north, west, south), board
                case ExchangedPlaces(one, other, first, last) if first <= sitting.round <= last:
                    entries = self.map_entries()
                    replacement_by_place = {
                        one: (other, entries[other]),
                        other: (one, entries[one]),
                    }
                    changed_plays[result.pk] = (
                        tuple(replacement_by_place.get(p, (p, e)) for p, e in occupants),
                        board,
                    )
                case WrongBoards(round_, table, group) if (sitting.round, sitting.table) == (
                    round_,
                    table,
                ):
                    changed_plays[result.pk] = (
                        occupants,
                        self.session.get_group_boards(group)[0],
                    )
        self.put_right[seating_change.pk] = {pk: self.ledger[pk] for pk in changed_plays}
        self.ledger |= changed_plays

    # ------------------------------------------------------------- invariants

    def check(self) -> None:
        """Check that players have their results, no deal repeats, and standings are right."""
        for result in Result.objects.exclude(outcome=Outcome.CLEARED).select_related("sitting"):
            sitting = result.sitting
            assert (list_people(sitting), result.board) == self.ledger[result.pk]
            assert result.board in self.session.get_group_boards(sitting.board_group)
            assert is_played(sitting)
        self.check_boards()
        if self.chance.random() < 0.2:
            self.check_standings()

    def check_standings(self) -> None:
        """Check that the updated standings equal recomputed ones."""
        updated_ranks = self.list_ranks()
        Ranking.objects.all().delete()
        assert self.list_ranks() == updated_ranks

    def check_boards(self) -> None:
        first_round_by_group: dict[tuple[int, int], int] = {}
        for sitting in filter(is_played, self.list_sittings()):
            for place in {seat for seat, _entry in list_people(sitting)}:
                first_round = first_round_by_group.setdefault(
                    (place, sitting.board_group), sitting.round
                )
                assert first_round == sitting.round or sitting.round <= self.told

    def list_ranks(self) -> list[tuple[object, ...]]:
        standings.update_standings(self.event)
        rows = Standing.objects.order_by("entry__number")
        return list(rows.values_list("entry__number", "rank", "score", "boards", "penalty"))

    def read_state(self) -> dict[str, Any]:
        """Return everything that an error leaves unchanged and that undo restores."""
        return {
            "seating": self.read_seating(),
            "entries": sorted(self.event.entries.values_list("pk", "number", "name")),
            "players": sorted(self.event.club.players.values_list("name", flat=True)),
            "results": sorted(
                Result.objects.values_list(
                    "pk", "board", "outcome", "ns_tricks", "sitting__round", "sitting__table"
                )
            ),
            "rulings": sorted(Ruling.objects.exclude_withdrawn().values_list("pk", flat=True)),
        }

    def read_seating(self) -> dict[str, Any]:
        return build_snapshot(Section.objects.get(pk=self.section.pk))

    def list_sittings(self) -> list[Sitting]:
        rows = Sitting.objects.select_related("north", "east", "south", "west")
        return list(rows.filter(section=self.section).order_by("round", "table"))

    def map_entries(self) -> dict[int, int | None]:
        return dict(self.section.places.values_list("number", "entry_id"))


def list_people(sitting: Sitting) -> SeatOccupants:
    """Return the players in the four seats."""
    seats = (sitting.north, sitting.east, sitting.south, sitting.west)
    return tuple((place.number, place.entry_id) for place in seats)


def is_played(sitting: Sitting) -> bool:
    return all(entry is not None for _place, entry in list_people(sitting))


REFUSAL_TEXTS = (
    "now at table",
    "has been scored, and no one",
    "has a penalty in the history",
    "what was entered is kept",
    "has since been played without this change",
    "Undo the newer change above first",
)


def try_step(walk: RandomWalk, step: Callable[[], None]) -> None:
    """Take a step; an error must have a reason and change nothing."""
    before, ledger_before = walk.read_state(), dict(walk.ledger)
    error_text = ""
    try:
        step()
    except WhistError as error:
        error_text = str(error)
    if error_text:
        walk.done["refused"] += 1
        assert any(reason in error_text for reason in REFUSAL_TEXTS), error_text
        assert (walk.read_state(), walk.ledger) == (before, ledger_before)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("contest", "count", "movement"), EVENT_SETUPS)
def test_undo_after_any_later_act_is_exact_or_refused(
    contest: str, count: int, movement: str, seed: int
) -> None:
    chance = random.Random(seed)
    walk = RandomWalk(*open_session(contest, count, movement), contest, chance)
    acts: list[tuple[Callable[[], None], int]] = [
        (walk.enter_score, 8),
        (walk.make_change, 4),
        (walk.undo_or_redo, 5),
        (walk.make_ruling_or_penalty, 1),
        (walk.undo_score, 2),
    ]
    steps, weights = zip(*acts, strict=True)
    for step in chance.choices(steps, weights, k=STEP_COUNT):
        try_step(walk, step)
        walk.check()
    walk.check_standings()
    assert walk.done
