"""In random drives each round seats everyone once after any act, which can be undone.

The axes: the form × the players over a full table × the point in the drive × the act × undone
or not. For more drives than in the suite: EVENINGS=400 pytest tests/drives/test_evenings.py.
"""

import os
from datetime import date
from random import Random

import pytest

from clubs import audit
from clubs.activities.secrecy import format_full_name
from clubs.errors import ActionUnavailable
from clubs.models import TableLink
from drives.draw.evening import search_draw_plan
from drives.errors import DriveActionNotAllowed, UnplayableDrive
from drives.models import Drive, Seat, Sheet
from drives.play_forms import PLAY_FORMS
from drives.services import (
    NewPlayer,
    add_late_player,
    begin_next_round,
    create_drive,
    enter_sheet,
    remove_player,
    set_house_players,
    set_pair_kept_apart,
    set_player_stationary,
    set_round_count,
    substitute_player,
    undo_act,
)
from drives.sheets.contract_phone import load_table_phone_page
from drives.sheets.seats import build_player_page, load_player_page
from drives.sheets.table_phone import build_table_phone_page
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from tests.factories import ClubFactory

pytestmark = pytest.mark.slow

DRIVE_COUNT = int(os.environ.get("EVENINGS", "15"))
STEP_COUNT = 5 if DRIVE_COUNT == 15 else 9
DAY = date(2026, 11, 20)
EXPECTED_ERRORS = (ActionUnavailable, DriveActionNotAllowed, UnplayableDrive)


def read_drive_state(drive: Drive) -> object:
    """Return everything that an act may change, read without the services."""
    row = Drive.objects.get(pk=drive.pk)
    players = row.players.order_by("number").values_list(
        "pk", "number", "name", "role", "house", "from_round", "to_round", "stays_seated",
        "takes_over",
    )  # fmt: skip
    seats = Seat.objects.filter(round__drive=row).order_by("round__number", "player__number")
    scores = Sheet.objects.filter(round__drive=row).exclude(score=[])
    return (
        (row.state, row.at_round, row.rounds, row.apart),
        list(players),
        list(seats.values_list("round__number", "player__number", "table", "seat", "order")),
        sorted(scores.values_list("round__number", "table", "score")),
    )


class Evening:
    """One drive and its random generator."""

    def __init__(self, seed: int) -> None:
        self.luck = rng = Random(seed)
        self.form = list(PLAY_FORMS)[seed % len(PLAY_FORMS)]
        size = rng.randint(8, 14)
        size -= size % (4 if self.form == "military" else 2 if self.form == "partner" else 1)
        self.drive = create_drive(
            club=ClubFactory(),
            name=f"Evening {seed}",
            date=DAY,
            form=self.form,
            players=[NewPlayer(name=f"P{k}", role=rng.choice(("", "first", "second")))
                     for k in range(1, size + 1)],
            house=["H"] * rng.choice((0, 0, 1, 3)) if self.form not in ("partner",) else [],
            rounds=rng.randint(2, 4),
            secret=bytes([seed % 256, seed // 256]),
            by=None,
        )  # fmt: skip
        self.new = 0

    def load_snapshot(self) -> DriveSnapshot:
        return load_drive_snapshot(
            Drive.objects.select_related("club", "evening").get(pk=self.drive.pk)
        )

    def pick_player(self, *, house: bool = False):
        snapshot = self.load_snapshot()
        present_players = snapshot.list_present_players(snapshot.drive.at_round + 1)
        return self.luck.choice([player for player in present_players if player.house == house])

    def build_newcomer(self) -> NewPlayer:
        self.new += 1
        return NewPlayer(name=f"N{self.new}")

    def act(self) -> None:
        """Do a random act of an organiser."""
        self.luck.choice(
            (
                *(self.score, self.score, self.advance_round, self.advance_round),
                *(self.add_latecomer, self.withdraw_player, self.substituted),
                *(self.toggle_pair_apart, self.toggle_stationary, self.house),
                self.change_round_count,
            )
        )()

    def score(self) -> None:
        snapshot = self.load_snapshot()
        current_round = snapshot.current_round
        assert current_round is not None
        for table in current_round.seats_by_table:
            if self.luck.random() < 0.8:
                tricks = self.luck.randint(0, 13)
                enter_sheet(
                    drive=self.drive,
                    round_number=current_round.number,
                    table=table,
                    score=[tricks],
                    by=None,
                )

    def advance_round(self) -> None:
        snapshot = self.load_snapshot()
        current_round = snapshot.current_round
        assert current_round is not None
        winners = {
            t: self.luck.choice("AB")
            for t in current_round.seats_by_table
            if not current_round.compute_table_score(t)[0]
        }
        moves_by_results = PLAY_FORMS[self.form].move_players is not None
        begin_next_round(
            drive=self.drive,
            shown_round_number=current_round.number,
            winners_by_table=winners if moves_by_results else {},
            by=None,
        )

    def add_latecomer(self) -> None:
        add_late_player(
            drive=self.drive,
            new_player=self.build_newcomer(),
            applies_to_current_round=self.luck.random() < 0.3,
            by=None,
        )

    def withdraw_player(self) -> None:
        remove_player(
            player=self.pick_player(),
            applies_to_current_round=self.luck.random() < 0.3,
            by=None,
        )

    def substituted(self) -> None:
        takes_over_score = self.luck.random() < 0.5
        substitute_player(
            player=self.pick_player(),
            new_player=self.build_newcomer(),
            should_take_over_score=takes_over_score,
            by=None,
        )

    def toggle_pair_apart(self) -> None:
        number, other_number = self.pick_player().number, self.pick_player().number
        is_apart = sorted((number, other_number)) not in self.load_snapshot().drive.apart
        set_pair_kept_apart(
            drive=self.drive,
            player_number=number,
            other_player_number=other_number,
            is_kept_apart=is_apart,
            by=None,
        )

    def toggle_stationary(self) -> None:
        someone = self.pick_player()
        set_player_stationary(player=someone, is_stationary=not someone.stays_seated, by=None)

    def house(self) -> None:
        set_house_players(
            drive=self.drive, house_player_names=["H"] * self.luck.randint(0, 3), by=None
        )

    def change_round_count(self) -> None:
        set_round_count(drive=self.drive, round_count=self.luck.randint(1, 6), by=None)

    def check(self) -> None:
        """Check that each round has all players once, roles fit seats, and scores add up."""
        snapshot = self.load_snapshot()
        for number, round_ in snapshot.round_by_number.items():
            seated_players = [
                player for table in round_.seats_by_table.values() for player in table
            ]
            numbers = [p.number for p in snapshot.list_present_players(number) if not p.house]
            house = {p.number for p in snapshot.player_by_number.values() if p.house}
            all_players = [*seated_players, *round_.resting_players]
            assert len(all_players) == len(set(all_players))
            regular_players = {player for player in all_players if player not in house}
            if self.form != "cut":
                assert regular_players == set(numbers), (number, round_)
            assert list(round_.seats_by_table) == list(range(1, len(round_.seats_by_table) + 1))
            assert not set(round_.resting_players) & house
            assert len(seated_players) == 4 * len(round_.seats_by_table)
        assert snapshot.scores.check_totals(snapshot.table_count).difference in (0, None)
        self.check_parts(snapshot)

    def check_parts(self, snapshot: DriveSnapshot) -> None:
        """Check that pages read from a part of the drive equal those from all of it."""
        rng = Random(snapshot.drive.revision)
        for number in rng.sample(list(snapshot.player_by_number), 2):
            assert load_player_page(
                snapshot.player_by_number[number], format_full_name
            ) == build_player_page(snapshot, number, format_full_name)
        tables = len(snapshot.current_round.seats_by_table) if snapshot.current_round else 0
        link = TableLink(evening=snapshot.drive.evening, table=rng.randint(1, tables + 1))
        assert load_table_phone_page(link) == build_table_phone_page(snapshot, link)

    def check_undo(self, state_before: object) -> None:
        """Undo the last act; check that the state is restored exactly, or the undo refused."""
        [*acts] = audit.list_acts(self.drive)[:1]
        now = read_drive_state(self.drive)
        try:
            undo_act(drive=self.drive, act=acts[0], by=None)
        except ActionUnavailable:
            assert read_drive_state(self.drive) == now
        else:
            assert read_drive_state(self.drive) == state_before


@pytest.fixture(autouse=True)
def shorten_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the searches: these tests also hold for poor draws."""
    monkeypatch.setattr("drives.draw.evening.TRIES_PER_ROUND", 500)
    monkeypatch.setattr("drives.draw.evening.POLISH_EXCHANGE_TRY_COUNT", 500)
    monkeypatch.setattr("drives.draw.evening.find_seed", lambda _players, _rounds: 1)
    # The cache is disabled.
    monkeypatch.setattr("drives.draw.evening.search_draw_plan", search_draw_plan.__wrapped__)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(DRIVE_COUNT))
def test_random_drive_seats_everyone_once_and_each_act_is_undone(seed: int) -> None:
    evening = Evening(seed)
    evening.check()
    for _step in range(STEP_COUNT):
        drive_state_before, drawn_rounds_before = (
            read_drive_state(evening.drive),
            list_drawn_rounds(evening),
        )
        last_act = audit.list_acts(evening.drive).first()
        round_number = evening.load_snapshot().drive.at_round
        try:
            evening.act()
        except EXPECTED_ERRORS:
            continue
        evening.check()
        assert (
            list_drawn_rounds(evening)[: round_number - 1]
            == drawn_rounds_before[: round_number - 1]
        )
        acts = (
            audit.list_acts(evening.drive).filter(pk__gt=last_act.pk if last_act else 0).count()
        )
        if acts == 1 and evening.luck.random() < 0.5:
            evening.check_undo(drive_state_before)
            evening.check()


def list_drawn_rounds(evening: Evening) -> list[object]:
    return [round_.seated_round for round_ in evening.load_snapshot().round_by_number.values()]
