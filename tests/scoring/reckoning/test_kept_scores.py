"""What is kept of scores and rows is what would be made anew, in the same order."""

from random import Random

import pytest

import scoring.services
import tournaments.services
from scoring.methods import METHODS
from scoring.methods.lines import Line, averaged, played
from scoring.models import Standing
from scoring.reckoning import kept_scores, standings
from scoring.reckoning.kept_scores import kept_score
from scoring.sittings import read_sittings
from tests import evenings
from tournaments.models import Event


def lines_by(chance: Random, boards: int = 6, tables: int = 4) -> list[Line]:
    return [
        averaged(board, (table,), (table + tables,))
        if chance.random() < 0.1
        else played(board, (table,), (table + tables,), chance.randint(0, 13))
        for board in range(1, boards + 1)
        for table in range(1, tables + 1)
    ]


@pytest.mark.parametrize("name", ["plus_minus", "matchpoints", "tricks", "field_average"])
def test_lines_come_to_what_their_method_says_however_often_they_are_asked(name: str) -> None:
    method = METHODS[name]
    for seed in range(20):
        lines = lines_by(Random(seed))
        assert kept_score(method, lines) == method.score(lines)
        assert kept_score(method, list(lines)) is kept_score(method, tuple(lines))
        board = lines[0]
        other = [board._replace(ns_tricks=0, ew_tricks=13), *lines[1:]]
        assert kept_score(method, other) == method.score(other)


def test_no_more_is_kept_than_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_scores, "MOST_LINES", 100)
    monkeypatch.setattr(kept_scores, "_KEPT", type(kept_scores._KEPT)())
    for seed in range(10):
        kept_score(METHODS["tricks"], lines_by(Random(seed)))
        assert sum(len(own) for own, _scores in kept_scores._KEPT.values()) <= 100
    many = lines_by(Random(1), boards=60)
    assert kept_score(METHODS["tricks"], many) == METHODS["tricks"].score(many)
    assert len(kept_scores._KEPT) <= 4


def _rows(event: Event) -> list[dict[str, object]]:
    leave_out = ("id", "ranking_id")
    return [
        {key: value for key, value in row.items() if key not in leave_out}
        for row in Standing.objects.filter(ranking__event=event).order_by("pk").values()
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_rows_that_stay_and_rows_that_change_stand_as_if_all_were_written_anew(
    seed: int,
) -> None:
    session, user = evenings.played(8, movement="howell", but=6)
    event, chance = session.event, Random(seed)
    plays = [
        (table.sitting, board)
        for table in read_sittings(session).tables
        if table.is_played
        for board in table.boards
    ]
    standings.recompute(event)
    for _time in range(5):
        sitting, board = chance.choice(plays)
        evenings.enter(session, sitting, board, str(chance.randint(0, 13)), user)
        standings.recompute(event)
        kept = _rows(event)
        Standing.objects.filter(ranking__event=event).delete()
        event.ranking.refresh_from_db()
        type(event.ranking).objects.filter(pk=event.ranking.pk).update(public_version=0)
        standings.recompute(event)
        assert kept == _rows(event)
    one, other = event.entries.order_by("number")[:2]
    tournaments.services.rename_entry(entry=one, names=["Una New", "Vic New"], by=user)
    scoring.services.settle_scoring(event=event, method="tricks", by=user)
    standings.recompute(event)
    assert {row["entry_id"] for row in _rows(event)} >= {one.pk, other.pk}
