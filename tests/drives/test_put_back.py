"""Undo in a drive works unless cards were handed in or rounds have scores.

An act on players or seats is undone exactly, or refused with what to do first. No score or card
ever loses its players.
"""

import json
from collections.abc import Callable

import pytest

from clubs import audit
from clubs.errors import ActionUnavailable
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_prize_draw_mismatches
from drives.models import CardTotal, Drive
from drives.services import (
    NewPlayer,
    add_late_player,
    add_players,
    begin_next_round,
    change_terms,
    close_drive,
    enter_sheet,
    enter_total,
    set_prizes,
    set_round_count,
    substitute_player,
    undo_act,
    undo_last_act,
)
from tests.drives.test_services import begin_drive, load_snapshot, play_rounds

pytestmark = pytest.mark.django_db


def create_late_player_drive() -> Drive:
    drive = begin_drive(size=11, rounds=1)
    add_late_player(
        drive=drive, new_player=NewPlayer(name="Zoe"), applies_to_current_round=True, by=None
    )
    return drive


def create_extra_player_drive() -> Drive:
    drive = begin_drive(size=11, rounds=1, is_started=False)
    add_players(drive=drive, new_players=[NewPlayer(name="Zoe")], by=None)
    return drive


def create_drive_with_substitute() -> Drive:
    drive = begin_drive(size=11, rounds=1)
    row = drive.players.get(number=3)
    substitute_player(
        player=row, new_player=NewPlayer(name="Zoe"), should_take_over_score=False, by=None
    )
    return drive


@pytest.mark.parametrize(
    "create_arrival",
    [create_late_player_drive, create_extra_player_drive, create_drive_with_substitute],
)
def test_arrival_can_be_undone_once_no_card_is_handed_in(
    create_arrival: Callable[[], Drive],
) -> None:
    drive = create_arrival()
    act = audit.list_acts(drive).first()
    assert act is not None
    number = drive.players.get(name="Zoe").number
    enter_total(drive=drive, number=number, total=7, by=None)
    with pytest.raises(
        ActionUnavailable, match=f"Card {number} is already handed in. Remove its total first"
    ):
        undo_act(drive=drive, act=act, by=None)
    assert drive.players.filter(name="Zoe").exists()
    undo_last_act(drive=drive, by=None)
    assert CardTotal.objects.get().total is None
    undo_last_act(drive=drive, by=None)
    assert number not in load_snapshot(drive).player_by_number
    assert not CardTotal.objects.exists()
    lines = [(act.action, act.after.get("total")) for act in audit.list_acts(drive)]
    assert ("drive.total", 7) in lines  # the old value of the card is still in the history


@pytest.mark.slow
@pytest.mark.parametrize("form", ["social", "lot", "partner"])
def test_round_with_a_score_can_be_neither_undone_nor_cancelled(form: str) -> None:
    drive = begin_drive(form, size=12, rounds=4)
    play_rounds(drive, 2)
    begin_next_round(drive=drive, shown_round_number=2, by=None)
    begin_act = audit.list_acts(drive).filter(action="drive.round").first()
    assert begin_act is not None
    enter_sheet(drive=drive, round_number=3, table=1, score=[8], by=None)
    with pytest.raises(ActionUnavailable, match="Table 1 already has a score in round 3"):
        undo_act(drive=drive, act=begin_act, by=None)
    # Older versions could store this state.
    Drive.objects.filter(pk=drive.pk).update(at_round=2)
    tables_before = load_snapshot(drive).round_by_number[3].seats_by_table
    with pytest.raises(ActionUnavailable, match="Table 1 already has a score in round 3"):
        set_round_count(drive=drive, round_count=2, by=None)
    assert load_snapshot(drive).round_by_number[3].seats_by_table == tables_before
    Drive.objects.filter(pk=drive.pk).update(at_round=3)
    enter_sheet(drive=drive, round_number=3, table=1, score=[], by=None)
    undo_act(drive=drive, act=begin_act, by=None)
    set_round_count(drive=drive, round_count=2, by=None)
    set_round_count(drive=drive, round_count=4, by=None)
    begin_next_round(drive=drive, shown_round_number=2, by=None)
    assert len(load_snapshot(drive).round_by_number[3].seats_by_table) == 3


CHANGE_BY_TERM = {
    "name": "Another",
    "score": {"kind": "side"},
    "hands": 2,
    "trumps": "SHDC",
    "first_word": "lady",
    "second_word": "gent",
    "halves": True,
    "one_prize_each": False,
    "terms": {"bell": "clock"},
    "standings_shown": "always",
    "paper_size": "A5",
}


@pytest.mark.slow
@pytest.mark.parametrize("term", CHANGE_BY_TERM)
def test_closed_drive_keeps_the_terms_used_for_its_lots(term: str) -> None:
    drive = begin_drive(size=8, rounds=1, hands=1, halves=False)
    change_terms(drive=drive, name="Renamed", by=None)
    lines = [{"words": "Raffle", "measure": "raffle", "ties": "lot", "count": 3}]
    set_prizes(drive=drive, lines=lines, by=None)
    play_rounds(drive, 1)
    close_drive(drive=drive, by=None)
    is_changeable = term in ("standings_shown", "paper_size")
    if is_changeable:
        change_terms(drive=drive, by=None, **{term: CHANGE_BY_TERM[term]})
    else:
        with pytest.raises(ActionUnavailable, match="closed"):
            change_terms(drive=drive, by=None, **{term: CHANGE_BY_TERM[term]})
    act = audit.list_acts(drive).filter(action="drive.changed").last()
    assert act is not None
    with pytest.raises(ActionUnavailable, match="closed"):
        undo_act(drive=drive, act=act, by=None)
    drive.refresh_from_db()
    assert (getattr(drive, term) == CHANGE_BY_TERM[term]) is is_changeable
    drive_file = parse_drive_file(
        json.dumps(export_drive(load_snapshot(drive), should_include_secret=False))
    )
    assert list_prize_draw_mismatches(drive_file) == []
