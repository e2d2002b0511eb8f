"""Random drives: after any act each round seats everyone once, and every act can be undone.

The axes: the form × the players over a full table × the point in the drive × the act × undone
or not. For more drives than in the suite: EVENINGS=400 pytest tests/drives/test_evenings.py.
"""

import os
from datetime import date
from random import Random

import pytest

from clubs import audit
from clubs.activities.secrecy import full
from clubs.errors import NotNow
from clubs.models import TableLink
from drives.draw.evening import searched
from drives.errors import DriveRefused, UnplayableDrive
from drives.forms import FORMS
from drives.held import HeldDrive, read_drive
from drives.models import Drive, Seat, Sheet
from drives.services import (
    NewPlayer,
    begin_drive,
    come_late,
    enter_sheet,
    keep_apart,
    leave,
    next_round,
    plan_rounds,
    set_house,
    stay_seated,
    substitute,
    undo,
)
from drives.sheets.seats import own_page, own_page_of
from drives.sheets.table_phone import table_phone, table_phone_of
from tests.factories import ClubFactory

pytestmark = pytest.mark.slow

EVENINGS = int(os.environ.get("EVENINGS", "15"))
STEPS = 5 if EVENINGS == 15 else 9
DAY = date(2026, 11, 20)
EXPECTED = (NotNow, DriveRefused, UnplayableDrive)


def state(drive: Drive) -> object:
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
        self.luck = luck = Random(seed)
        self.form = list(FORMS)[seed % len(FORMS)]
        size = luck.randint(8, 14)
        size -= size % (4 if self.form == "military" else 2 if self.form == "partner" else 1)
        self.drive = begin_drive(
            club=ClubFactory(),
            name=f"Evening {seed}",
            date=DAY,
            form=self.form,
            players=[NewPlayer(name=f"P{k}", role=luck.choice(("", "first", "second")))
                     for k in range(1, size + 1)],
            house=["H"] * luck.choice((0, 0, 1, 3)) if self.form not in ("partner",) else [],
            rounds=luck.randint(2, 4),
            secret=bytes([seed % 256, seed // 256]),
            by=None,
        )  # fmt: skip
        self.new = 0

    def held(self) -> HeldDrive:
        return read_drive(Drive.objects.select_related("club", "evening").get(pk=self.drive.pk))

    def someone(self, *, house: bool = False):
        held = self.held()
        there = held.present(held.drive.at_round + 1)
        return self.luck.choice([player for player in there if player.house == house])

    def newcomer(self) -> NewPlayer:
        self.new += 1
        return NewPlayer(name=f"N{self.new}")

    def act(self) -> None:
        """Do a random act of an organiser."""
        self.luck.choice(
            (
                self.score, self.score, self.go_on, self.go_on, self.late, self.leaves,
                self.substituted, self.apart, self.seated, self.house, self.longer,
            )
        )()  # fmt: skip

    def score(self) -> None:
        held = self.held()
        at = held.at
        assert at is not None
        for table in at.tables:
            if self.luck.random() < 0.8:
                made = self.luck.randint(0, 13)
                enter_sheet(
                    drive=self.drive, round_number=at.number, table=table, score=[made], by=None
                )

    def go_on(self) -> None:
        held = self.held()
        at = held.at
        assert at is not None
        winners = {t: self.luck.choice("AB") for t in at.tables if not at.figures_at(t)[0]}
        by_results = FORMS[self.form].moves is not None
        next_round(
            drive=self.drive, at=at.number, winners=winners if by_results else {}, by=None
        )

    def late(self) -> None:
        come_late(drive=self.drive, new=self.newcomer(), now=self.luck.random() < 0.3, by=None)

    def leaves(self) -> None:
        leave(player=self.someone(), now=self.luck.random() < 0.3, by=None)

    def substituted(self) -> None:
        takes = self.luck.random() < 0.5
        substitute(player=self.someone(), new=self.newcomer(), takes_score=takes, by=None)

    def apart(self) -> None:
        one, other = self.someone().number, self.someone().number
        is_apart = sorted((one, other)) not in self.held().drive.apart
        keep_apart(drive=self.drive, one=one, other=other, apart=is_apart, by=None)

    def seated(self) -> None:
        someone = self.someone()
        stay_seated(player=someone, stays=not someone.stays_seated, by=None)

    def house(self) -> None:
        set_house(drive=self.drive, names=["H"] * self.luck.randint(0, 3), by=None)

    def longer(self) -> None:
        plan_rounds(drive=self.drive, rounds=self.luck.randint(1, 6), by=None)

    def check(self) -> None:
        """Check that each round has all players once, roles fit seats, and scores add up."""
        held = self.held()
        for number, each in held.rounds.items():
            sat = [who for four in each.tables.values() for who in four]
            there = [p.number for p in held.present(number) if not p.house]
            house = {p.number for p in held.players.values() if p.house}
            everybody = [*sat, *each.rest]
            assert len(everybody) == len(set(everybody))
            ranked = {who for who in everybody if who not in house}
            if self.form != "cut":
                assert ranked == set(there), (number, each)
            assert list(each.tables) == list(range(1, len(each.tables) + 1))
            assert not set(each.rest) & house
            assert len(sat) == 4 * len(each.tables)
        assert held.scores.check(held.table_count).off in (0, None)
        self.check_parts(held)

    def check_parts(self, held: HeldDrive) -> None:
        """Check that pages read from a part of the drive equal those from all of it."""
        luck = Random(held.drive.revision)
        for number in luck.sample(list(held.players), 2):
            assert own_page_of(held.players[number], full) == own_page(held, number, full)
        tables = len(held.at.tables) if held.at else 0
        link = TableLink(evening=held.drive.evening, table=luck.randint(1, tables + 1))
        assert table_phone_of(link) == table_phone(held, link)

    def undone(self, before: object) -> None:
        """Undo the last act: the state is restored exactly, or refused without any change."""
        [*acts] = audit.history(self.drive)[:1]
        now = state(self.drive)
        try:
            undo(drive=self.drive, act=acts[0], by=None)
        except NotNow:
            assert state(self.drive) == now
        else:
            assert state(self.drive) == before


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw with few tries: what is tested here holds for poor draws too."""
    monkeypatch.setattr("drives.draw.evening.ROUND_TRIES", 500)
    monkeypatch.setattr("drives.draw.evening.POLISH_TRIES", 500)
    monkeypatch.setattr("drives.draw.evening.start_of", lambda _players, _rounds: 1)
    monkeypatch.setattr("drives.draw.evening.searched", searched.__wrapped__)  # no cache


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_a_random_evening_seats_everybody_once_and_each_act_goes_back(seed: int) -> None:
    evening = Evening(seed)
    evening.check()
    for _step in range(STEPS):
        before, played = state(evening.drive), _played(evening)
        last = audit.history(evening.drive).first()
        at = evening.held().drive.at_round
        try:
            evening.act()
        except EXPECTED:
            continue
        evening.check()
        assert _played(evening)[: at - 1] == played[: at - 1]
        acts = audit.history(evening.drive).filter(pk__gt=last.pk if last else 0).count()
        if acts == 1 and evening.luck.random() < 0.5:
            evening.undone(before)
            evening.check()


def _played(evening: Evening) -> list[object]:
    return [each.drawn for each in evening.held().rounds.values()]
