"""Finals, consolations, strata and knock-outs in random histories, with undo everywhere.

`HISTORIES=300` runs that many of each kind, longer, with all pages after one step in ten.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import scoring.services
import tournaments.services
from scoring.models import Final, Knockout, Stage
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.carry_over import count_boards_to_play
from scoring.standings_engine.knockouts import load_bracket
from scoring.standings_engine.scores import score_event
from scoring.tasks import recompute_standings
from server.models import User
from tests import evenings
from tests.copies import build_once
from tests.hall.history.random_stage_walk import (
    HISTORY_COUNT,
    RandomWalk,
    compute_pluses,
    decide_random_match,
    enter_some_results,
    remove_random_entry,
)
from tournaments.models import Event, SeatingChange, Section, Session
from tournaments.movements import build_named_movement
from tournaments.movements.changes import Withdrawal
from tournaments.stages.rules import CarryOverKind, FinalsCriterion, StageRules

pytestmark = pytest.mark.django_db

STEP_COUNT = 16 if HISTORY_COUNT else 10
Step = Callable[[], Event | None]
PLANNED, OPEN, CLOSED = Session.State.PLANNED, Session.State.OPEN, Session.State.CLOSED


@build_once
def play_qualifying() -> tuple[Event, User]:
    """Return eight pairs who have played a Howell by plus and minus, closed."""
    event, user = evenings.create_event(8, method="plus_minus")
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=8),
        boards_a_round=1,
        by=user,
    )
    session = scoring.services.open_session(session=session, by=user)
    plays = [(t.sitting_id, b) for t in load_session_snapshot(session).tables for b in t.boards]
    rng = random.Random("qualifying")
    evenings.enter_all_results([(*play, str(rng.randint(3, 10))) for play in plays], user)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(event)
    return Event.objects.select_related("club", "terms").get(pk=event.pk), user


class StageWalk(RandomWalk):
    """A qualifying, its finals, and events created from them."""

    def __init__(self, event: Event, user: User, chance: random.Random) -> None:
        super().__init__(event, user, chance)
        self.draw_and_finalists: tuple[Any, Any] | None = (
            None  # time of the draw, and its entries
        )

    def list_finals(self) -> list[Event]:
        """Return the events of the current finals."""
        return [final.event for final in Final.objects.select_related("event__club")]

    # ------------------------------------------------------------- acts

    def change_rule(self) -> Event:
        """Set, change or remove the rule."""
        by = self.chance.choice(
            [
                FinalsCriterion.RANK,
                FinalsCriterion.RANK,
                FinalsCriterion.STRATA,
                FinalsCriterion.SECTIONS,
            ]
        )
        size = self.chance.choice([2, 3, 4, 5])
        names: list[tuple[str, int | None]] = [("A", size), ("B", 2), ("C", None)]
        names = names[: self.chance.choice([1, 2, 3])]
        if by is FinalsCriterion.STRATA:
            names = [("A", None), ("B", None)]
        entry_numbers = range(1, 9)
        rule = StageRules(
            tuple(names),
            by,
            places_per_section=2 if by is FinalsCriterion.SECTIONS else 0,
            other_place_count=1 if by is FinalsCriterion.SECTIONS else 0,
            carry_over_kind=self.chance.choice(list(CarryOverKind)),
            share=self.chance.choice([Fraction(1, 2), Fraction(1, 3), Fraction(1)]),
            cap=self.chance.choice([None, Fraction(1, 10)]),
            lot_seed="lot",
            withdrawn_entries=tuple(
                self.chance.sample(entry_numbers, self.chance.choice([0, 0, 1, 2]))
            ),
        )
        scoring.services.set_stage_rules(
            event=self.root,
            stage_rules=None if self.chance.random() < 0.1 else rule,
            by=self.user,
        )
        return self.root

    def draw(self) -> Event:
        """Draw the finals."""
        stage = scoring.services.draw_finals(event=self.root, by=self.user)
        if stage.rule["by"] == FinalsCriterion.RANK:
            plus_by_entry = compute_pluses(self.root)
            plus_scores = [
                plus_by_entry[drawn_round["entry"]][0] for drawn_round in stage.drawn
            ]
            assert self.draw_and_finalists or plus_scores == sorted(plus_scores, reverse=True)
        return self.root

    def undo_draw(self) -> Event:
        """Undo the drawing."""
        scoring.services.undo_finals(event=self.root, by=self.user)
        return self.root

    def set_strata(self) -> Event:
        """Set strata and tags."""
        profiles = {
            number: {"stratum": self.chance.choice("AB"), "tags": ["mixed"]}
            for number in self.chance.sample(range(1, 9), 3)
        }
        scoring.services.set_strata(event=self.root, lines=[("A", ""), ("B", "")], by=self.user)
        scoring.services.set_entry_profiles(
            event=self.root, profiles_by_number=profiles, by=self.user
        )
        return self.root

    def reopen_or_close(self) -> Event:
        """Reopen or close the qualifying."""
        session = self.root.sessions.get()
        if session.state == CLOSED:
            scoring.services.reopen_session(session=session, by=self.user)
        else:
            scoring.services.close_session(session=session, by=self.user)
        return self.root

    def correct_result(self) -> None:
        """Correct a result of the closed qualifying."""
        session = self.root.sessions.get()
        was_closed = session.state == CLOSED
        if was_closed:
            scoring.services.reopen_session(session=session, by=self.user)
        enter_some_results(self.root, self.user, self.chance)
        if was_closed:
            session.refresh_from_db()
            scoring.services.close_session(session=session, by=self.user)

    def advance_stage(self) -> Event | None:
        """Take a final or a plate one step on: seated, started, scored, closed."""
        other_events = [item for item in self.list_events() if item.pk != self.root.pk]
        if not other_events:
            return None
        event = self.chance.choice(other_events)
        session = event.sessions.get()
        if session.state == PLANNED and not session.sections.exists():
            pairs = event.entries.count()
            movement = build_named_movement("howell", pairs=max(pairs, 3))
            tournaments.services.seat_section(
                session=session, movement=movement, boards_a_round=1, by=self.user
            )
        elif session.state == PLANNED:
            scoring.services.open_session(session=session, by=self.user)
        elif session.state == OPEN and self.chance.random() < 0.7:
            enter_some_results(event, self.user, self.chance)
            return None
        elif session.state == OPEN:
            scoring.services.close_session(session=session, by=self.user)
        else:
            scoring.services.reopen_session(session=session, by=self.user)
        return event

    def recreate_bracket(self) -> Event:
        """Create, recreate or remove a bracket."""
        event = self.chance.choice(self.list_events())
        numbers = list(event.entries.values_list("number", flat=True))
        self.chance.shuffle(numbers)
        scoring.services.set_bracket(
            event=event,
            seeds=[] if self.chance.random() < 0.2 else numbers,
            segments=self.chance.choice([1, 2]),
            seed_wins=self.chance.random() < 0.5,
            by=self.user,
        )
        return event

    def decide_match(self) -> Event | None:
        """Decide a match."""
        rows = Knockout.objects.filter(event__put_away_at=None).select_related("event__club")
        if not rows:
            return None
        event = self.chance.choice([row.event for row in rows])
        decide_random_match(event, self.user, self.chance)
        return event

    def enter_losers_in_plate(self) -> None:
        """Enter losers in a plate."""
        rows = Knockout.objects.filter(event__put_away_at=None).select_related("event__club")
        if rows:
            event = self.chance.choice([row.event for row in rows])
            scoring.services.create_plate(
                event=event, round_number=1, name="Plate", by=self.user
            )

    def remove_entry(self) -> Event:
        """Remove an entry."""
        event = self.chance.choice(self.list_events())
        remove_random_entry(event, self.user, self.chance)
        return event

    # ------------------------------------------------------------- invariants

    def check(self) -> None:
        """Check that no entry is in two finals, and that draws and carry-overs are right."""
        for event in self.list_events():
            recompute_standings(event.pk)
        stage = Stage.objects.filter(event=self.root).first()
        rows = list(Final.objects.select_related("event"))
        assert all(one_row.event.numbers_stand for one_row in rows)
        names = [name for one_row in rows for name in self.list_entry_names(one_row.event)]
        assert len(names) == len(set(names))
        if stage is None or stage.drawn_at is None:
            assert not rows
            self.draw_and_finalists = None
        else:
            self.check_drawn_finals(stage, rows)
        for row in rows:
            self.check_carried(row)
        for event in self.list_events():
            self.check_bracket(event)

    def check_drawn_finals(self, stage: Stage, rows: list[Final]) -> None:
        """Check that the finals are as drawn, whatever was corrected since."""
        names = dict(self.root.entries.values_list("number", "name"))
        entry_names_by_final = {
            name: [
                names[drawn_round["entry"]]
                for drawn_round in stage.drawn
                if drawn_round["final"] == name
            ]
            for name in {drawn_round["final"] for drawn_round in stage.drawn}
        }
        assert entry_names_by_final == {
            row.name: self.list_entry_names(row.event) for row in rows
        }
        assert not set(stage.rule["withdrawn"]) & {
            drawn_round["entry"] for drawn_round in stage.drawn
        }
        now = (stage.drawn_at, stage.drawn)
        if self.draw_and_finalists and self.draw_and_finalists[0] == now[0]:
            assert self.draw_and_finalists == now
        self.draw_and_finalists = now

    def check_carried(self, final: Final) -> None:
        """Check that the carry-over equals a recount of the qualifying by the rule."""
        plus = compute_pluses(self.root)
        rule = final.stage.rule
        event = Event.objects.select_related("club", "terms").get(pk=final.event_id)
        boards = count_boards_to_play(event)
        assert boards == max(count_own_boards(event).values(), default=0)
        amounts = {
            number: item.carried_tricks
            for number, item in score_event(event).carry_overs_by_entry.items()
        }
        assert (not amounts) == (rule["carry"] == "none")
        for number, carried_record in final.brought.items():
            tricks, board_count = plus.get(carried_record["from"], (Fraction(), 0))
            assert (Fraction(carried_record["tricks"]), carried_record["boards"]) == (
                tricks,
                board_count,
            )
            if not amounts:
                continue
            share = Fraction(rule["share"]) * tricks * boards / board_count
            if rule["cap"] is not None:
                max_share = Fraction(rule["cap"]) * boards
                share = min(max(share, -max_share), max_share)
            assert amounts[int(number)] == (tricks if rule["carry"] == "all" else share)


def count_own_boards(event: Event) -> dict[int, int]:
    """Return how many boards each entry plays, counted independently."""
    boards_by_entry: dict[int, set[int]] = {}
    for session in event.sessions.all():
        for table in load_session_snapshot(session).tables:
            for entry in (*table.ns.entries, *table.ew.entries) if table.is_played else ():
                boards_by_entry.setdefault(entry, set()).update(table.boards)
    return {entry: len(boards) for entry, boards in boards_by_entry.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(HISTORY_COUNT or 2))
def test_undo_after_any_later_act_keeps_finalists_and_updates_carry_over(seed: int) -> None:
    chance = random.Random(f"stages {seed}")
    walk = StageWalk(*play_qualifying(), chance)
    weighted_steps = [
        *((walk.change_rule, 3), (walk.draw, 4), (walk.undo_draw, 1), (walk.set_strata, 1)),
        *(
            (walk.reopen_or_close, 1),
            (walk.correct_result, 3),
            (walk.advance_stage, 6),
            (walk.recreate_bracket, 2),
        ),
        *(
            (walk.decide_match, 3),
            (walk.enter_losers_in_plate, 1),
            (walk.remove_entry, 1),
            (walk.undo_or_redo, 4),
        ),
    ]
    walk_randomly(walk, walk.change_rule, weighted_steps)


@build_once
def open_bracket(teams: int, segments: int) -> tuple[Event, User]:
    """Return a bracket of teams whose first matches are seated and in play."""
    event, user = evenings.create_event(0, contest="teams")
    for number in range(teams):
        names = [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"]
        tournaments.services.create_entry(event=event, names=names, by=user)
    scoring.services.set_bracket(
        event=event,
        seeds=range(1, teams + 1),
        segments=segments,
        seed_wins=teams == 6,
        three_way=teams != 4,
        by=user,
    )
    session = event.sessions.get()
    event = Event.objects.select_related("club", "terms", "knockout").get(pk=event.pk)
    session.event = event
    scoring.services.seat_knockout(
        session=session, boards_a_round=2, own_boards=teams != 5, copies=4, by=user
    )
    session.refresh_from_db()
    scoring.services.open_session(session=session, by=user)
    return event, user


class BracketWalk(RandomWalk):
    """A bracket that is played at the tables."""

    def load_section(self) -> Section:
        """Return the section, read again."""
        sections = Section.objects.select_related(
            "session__event__club", "session__event__terms"
        )
        return sections.get(session__event=self.root)

    def complete_round(self) -> None:
        """Enter all results of the last round that was drawn."""
        section = self.load_section()
        halves = 2 if section.options["swiss"].get("three_way") else 1
        plays = [
            (table.sitting_id, board)
            for table in load_session_snapshot(section.session).tables
            if table.is_played and table.round > section.rounds - halves
            for board in table.boards
        ]
        evenings.enter_all_results(
            [(*play, str(self.chance.randint(5, 8))) for play in plays], self.user
        )

    def correct_result(self) -> None:
        """Change some results of any round; no one moves for that."""
        seats_before = self.list_seats()
        enter_some_results(self.root, self.user, self.chance)
        assert self.list_seats() == seats_before

    def draw(self) -> None:
        """Draw the next round."""
        section = self.load_section()
        scoring.services.draw_round(
            section=section, round_number=section.rounds + 1, by=self.user
        )

    def undo_draw(self) -> None:
        """Undo the last draw."""
        change = SeatingChange.objects.filter(undone_at=None).order_by("-pk").first()
        if change:
            scoring.services.undo_change(change=change, by=self.user)

    def decide_match(self) -> Event:
        """Decide or correct a match as the director; no one moves for that."""
        before = self.list_seats()
        decide_random_match(self.root, self.user, self.chance)
        assert self.list_seats() == before
        return self.root

    def remove_entry(self) -> None:
        """Withdraw an entry."""
        section = self.load_section()
        place = self.chance.choice(list(section.places.select_related("entry")))
        assert place.entry is not None
        who = {"number": place.entry.number, "name": place.entry.name}
        scoring.services.apply_seating_change(
            section=section,
            rounds_played=scoring.services.find_last_scored_round(section),
            incident=Withdrawal(place.number),
            continuation_key="swiss-out",
            incident_data={"kind": "left", "who": who, "round": section.rounds},
            names=[],
            by=self.user,
        )

    def recreate_bracket(self) -> Event:
        """Check that a bracket with tables cannot be recreated."""
        scoring.services.set_bracket(event=self.root, seeds=[2, 1, 3], by=self.user)
        raise AssertionError("a bracket with tables was laid anew")

    def list_seats(self) -> list[tuple[Any, ...]]:
        """Return the players of each table."""
        rows = self.load_section().sittings.order_by("round", "table")
        return list(rows.values_list("round", "table", "north", "east", "board_group"))

    def check(self) -> None:
        """Check that seated teams qualified for the round, and have one match at a time."""
        self.check_bracket(self.root)
        row = Knockout.objects.select_related("event__terms").get(event=self.root)
        bracket = load_bracket(row)
        halves = 2 if row.three_way else 1
        tables = [
            table
            for table in load_session_snapshot(self.load_section().session).tables
            if table.is_played
        ]
        boards: dict[int, set[tuple[int, frozenset[int]]]] = {}
        for table in tables:
            draw_number = -(-table.round // halves)
            pairing = frozenset((table.ns.entries[0], table.ew.entries[0]))
            for board in table.boards:
                boards.setdefault(board, set()).add((draw_number, pairing))
            rounds_before = bracket.rounds[: -(-draw_number // row.segments)]
            sides = [
                {bracket.find_entry_number(seed) for seed in match.sides}
                for match in rounds_before[-1]
            ]
            has_decided_match = any(
                match.score.advancing_seeds
                for matches in rounds_before[:-1]
                for match in matches
            )
            assert has_decided_match or any(pairing <= side for side in sides)
        if self.load_section().options["swiss"].get("own_boards"):
            assert all(len(matches) == 1 for matches in boards.values())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(HISTORY_COUNT or 2))
def test_undo_after_any_later_act_moves_no_one_in_a_started_bracket(seed: int) -> None:
    chance = random.Random(f"tables {seed}")
    teams, segments = [(7, 1), (5, 2), (6, 1), (4, 2)][seed % 4]
    walk = BracketWalk(*open_bracket(teams, segments), chance)
    ways = [
        *(
            (walk.complete_round, 4),
            (walk.correct_result, 4),
            (walk.draw, 5),
            (walk.undo_draw, 2),
        ),
        *(
            (walk.decide_match, 4),
            (walk.remove_entry, 1),
            (walk.recreate_bracket, 1),
            (walk.undo_or_redo, 3),
        ),
    ]
    walk_randomly(walk, walk.complete_round, ways)


def walk_randomly(
    walk: StageWalk | BracketWalk, first_step: Step, ways: list[tuple[Step, int]]
) -> None:
    """Take the first step and then weighted random ones, checking after each of them."""
    steps, weights = zip(*ways, strict=True)
    walk.take_step(first_step)
    for step in walk.chance.choices(steps, weights, k=STEP_COUNT):
        walk.take_step(step)
        walk.check()
        walk.check_pages(0 if HISTORY_COUNT and walk.chance.random() < 0.1 else 1)
    walk.check_standings()
    assert walk.done
