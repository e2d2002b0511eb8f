"""Hands with contracts are entered, corrected, undone and recomputed by a new table."""

import json
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from clubs.activities.secrecy import format_full_name
from clubs.errors import ActionUnavailable, EntryConflict
from clubs.models import Act
from drives.errors import (
    DriveActionNotAllowed,
    InvalidHand,
    InvalidScore,
    ReasonNeeded,
    UnreadableDrive,
)
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.models import Drive, Sheet, SheetVersion
from drives.services import (
    NewPlayer,
    begin_next_round,
    change_points,
    change_terms,
    create_drive,
    enter_sheet,
    import_drive,
    undo_act,
)
from drives.snapshot import load_drive_snapshot
from tests.copies import build_once
from tests.factories import ClubFactory

DAY = date(2026, 11, 20)
WIEZEN_SCORING = {"kind": "player", "sum": 0, "game": "wiezen"}
pytestmark = pytest.mark.django_db


@build_once
def begin_drive(
    hands: int = 4, size: int = 8, score: dict[str, Any] = WIEZEN_SCORING, **more: Any
) -> Drive:
    return create_drive(
        club=ClubFactory(),
        name="Wiezen",
        date=DAY,
        form="lot",
        players=[NewPlayer(name=f"P{k}") for k in range(1, size + 1)],
        secret=b"one",
        rounds=3,
        hands=hands,
        score=score,
        by=None,
        **more,
    )


def enter_hand(drive: Drive, hand: int, *, table: int = 1, **contract: Any) -> Any:
    return enter_sheet(
        drive=drive, round_number=1, table=table, hand=hand, contract=contract, by=None
    )


def list_sheet_rows(drive: Drive) -> list[tuple[Any, ...]]:
    """Return the round, hand, score and contract of each sheet of a drive."""
    sheets = Sheet.objects.filter(round__drive=drive).order_by("table", "hand")
    return [(s.table, s.hand, s.score, s.contract) for s in sheets]


def find_last_act(action: str) -> Act:
    return Act.objects.filter(action=action).latest("pk")


def reload_drive(drive: Drive) -> Drive:
    return Drive.objects.select_related("club", "evening").get(pk=drive.pk)


def export_to_dict(drive: Drive) -> dict[str, Any]:
    return export_drive(load_drive_snapshot(reload_drive(drive)), format_name=format_full_name)


def test_hand_with_a_contract_has_the_points_of_the_table() -> None:
    drive = begin_drive()
    hand = enter_hand(drive, 1, contract="together-8", by=[1, 3], tricks=9)
    assert hand.is_changed
    assert hand.sheet.score == [3, -3, 3, -3]
    assert not enter_hand(drive, 1, contract="together-8", by=[1, 3], tricks=9).is_changed
    enter_hand(drive, 2, contract="misere", by=[2], tricks=[1])
    snapshot = load_drive_snapshot(drive)
    assert snapshot.round_by_number[1].compute_table_score(1)[0] == (10, -24, 10, 4)
    assert [v.contract for v in SheetVersion.objects.order_by("pk")] == [
        {"contract": "together-8", "by": [1, 3], "tricks": 9},
        {"contract": "misere", "by": [2], "tricks": [1]},
    ]


def test_correction_and_its_undo_give_identical_rows() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="together-8", by=[1, 3], tricks=9)
    sheet_rows_before = list_sheet_rows(drive)
    enter_hand(drive, 1, contract="misere", by=[2, 4], made=[True, False])
    assert list_sheet_rows(drive) != sheet_rows_before
    undo_act(drive=drive, act=find_last_act("drive.sheet"), by=None)
    assert list_sheet_rows(drive) == sheet_rows_before


def test_typed_numbers_replace_a_contract_and_undo_restores_it() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="slam", by=[2], tricks=13)
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[3, -1, -1, -1], by=None)
    assert list_sheet_rows(drive) == [(1, 1, [3, -1, -1, -1], {})]
    undo_act(drive=drive, act=find_last_act("drive.sheet"), by=None)
    slam = {"contract": "slam", "by": [2], "tricks": 13}
    assert list_sheet_rows(drive) == [(1, 1, [-30, 90, -30, -30], slam)]


@pytest.mark.parametrize(
    ("hand", "contract", "place"),
    [
        (1, {"contract": "together-8", "by": [1], "tricks": 9}, "by"),
        (1, {"contract": "nolo", "by": [1], "tricks": 9}, "contract"),
        (1, {"contract": "misere", "by": [1], "tricks": [14]}, "tricks"),
        (1, {"fines": [{"by": 1, "each": 0}]}, "fine 1: each"),
    ],
)
def test_service_error_of_an_invalid_hand_names_its_position(
    hand: int, contract: dict[str, Any], place: str
) -> None:
    drive = begin_drive()
    with pytest.raises(InvalidHand) as exc_info:
        enter_hand(drive, hand, **contract)
    assert exc_info.value.invalid_key == place
    assert str(exc_info.value).startswith(f"round 1, table 1, hand {hand}: {place}: ")
    assert not Sheet.objects.exists()


def test_hand_beyond_the_round_and_a_later_round_are_refused() -> None:
    drive = begin_drive()
    slam = {"contract": "slam", "by": [2], "tricks": 13}
    with pytest.raises(InvalidScore, match="only 4 hands per round"):
        enter_hand(drive, 5, **slam)
    with pytest.raises(InvalidScore, match="hand by hand"):
        enter_hand(drive, 0, **slam)
    with pytest.raises(InvalidScore, match="hasn’t started"):
        enter_sheet(drive=drive, round_number=2, table=1, hand=1, contract=slam, by=None)
    with pytest.raises(InvalidScore, match="either a contract or a score"):
        enter_sheet(
            drive=drive,
            round_number=1,
            table=1,
            hand=1,
            score=[0, 0, 0, 0],
            contract=slam,
            by=None,
        )


def test_drive_without_a_game_refuses_contracts() -> None:
    drive = begin_drive(score={"kind": "player", "sum": 0})
    with pytest.raises(InvalidScore, match="game has no contracts"):
        enter_hand(drive, 1, contract="slam", by=[2], tricks=13)
    with pytest.raises(DriveActionNotAllowed, match="game has no contracts"):
        change_points(drive=drive, custom=None, house={}, by=None)


def test_hand_entered_in_the_meantime_is_a_conflict() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="slam", by=[2], tricks=13)
    with pytest.raises(EntryConflict, match="−30 / 90"):
        enter_sheet(
            drive=drive,
            round_number=1,
            table=1,
            hand=1,
            contract={"contract": "slam", "by": [3], "tricks": 13},
            seen=[],
            by=None,
        )


def test_changed_table_recomputes_all_hands_in_one_act_with_one_undo() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    enter_hand(drive, 2, contract="slam", by=[2], tricks=13)
    enter_hand(drive, 1, table=2, contract="misere", by=[4], tricks=3)
    enter_sheet(drive=drive, round_number=1, table=1, hand=3, score=[3, -1, -1, -1], by=None)
    sheet_rows_before, score = list_sheet_rows(drive), reload_drive(drive).score
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    points = change_points(drive=drive, custom=None, house=house, by=None)
    assert points.score == {**WIEZEN_SCORING, "house": house}
    assert [row[2] for row in list_sheet_rows(drive)] == [
        [30, -10, -10, -10],
        [-30, 90, -30, -30],
        [3, -1, -1, -1],
        [10, 10, 10, -30],
    ]
    act = find_last_act("drive.points")
    changes = [
        {"contract": "misere", "cell": cell, "old": [[7], 0], "new": [[10], 0]}
        for cell in ("made", "lost")
    ]
    assert act.after == {
        "changed_points": {"game": "wiezen", "changes": changes},
        "changed_hands": 2,
    }
    undo_act(drive=drive, act=act, by=None)
    assert (list_sheet_rows(drive), reload_drive(drive).score) == (sheet_rows_before, score)


def test_hand_keeps_its_contract_when_the_contract_is_switched_off() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    changes_without_misere = {"contracts": {"misere": {"played": False}}}
    change_points(drive=drive, custom=None, house=changes_without_misere, by=None)
    assert list_sheet_rows(drive)[0][2] == [21, -7, -7, -7]
    with pytest.raises(InvalidHand, match="isn’t played here"):
        enter_hand(drive, 2, contract="misere", by=[1], tricks=0)


def test_table_that_does_not_fit_an_entered_hand_is_refused_completely() -> None:
    own_contract = {
        "title": "Nolo",
        "key": "no",
        "side": "alone",
        "how": "most",
        "wants": 3,
        "made": [9],
        "lost": [9],
    }
    drive = begin_drive(
        score={**WIEZEN_SCORING, "house": {"contracts": {"own-1": own_contract}}}
    )
    enter_hand(drive, 1, contract="own-1", by=[1], tricks=2)
    enter_hand(drive, 2, contract="misere", by=[1], tricks=2)
    sheet_rows_before = list_sheet_rows(drive)
    with pytest.raises(InvalidHand, match="round 1, table 1, hand 1: contract: unknown"):
        change_points(drive=drive, custom="card-clubs", house={}, by=None)
    assert list_sheet_rows(drive) == sheet_rows_before
    with pytest.raises(UnreadableDrive, match="custom"):
        change_points(drive=drive, custom="nonsense", house={}, by=None)


def test_table_of_a_closed_drive_does_not_change() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=[1], tricks=0)
    Drive.objects.update(state=Drive.State.CLOSED, closed_at=timezone.now())
    with pytest.raises(ActionUnavailable):
        change_points(drive=drive, custom="card-clubs", house={}, by=None)


@pytest.mark.parametrize(
    "score",
    [
        {"kind": "player", "sum": 0, "game": "bridge"},
        {"kind": "side", "sum": 0, "game": "wiezen"},
        {"kind": "player", "sum": 5, "game": "wiezen"},
        {"kind": "player", "sum": 0, "step": 5, "game": "wiezen"},
        {"kind": "player", "sum": 0, "low": -9, "game": "wiezen"},
        {"kind": "player", "sum": 0, "game": "wiezen", "custom": "nonsense"},
        {"kind": "player", "sum": 0, "house": {"passed": "adds"}},
        {"kind": "player", "sum": 0, "game": "wiezen", "house": {"pot": True}},
    ],
)
def test_game_with_other_terms_of_scoring_is_refused(score: dict[str, Any]) -> None:
    with pytest.raises(UnreadableDrive):
        change_terms(drive=begin_drive(), score=score, by=None)


def test_file_has_the_contracts_and_refuses_a_wrong_score() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="together-8", by=[1, 3], tricks=9, passed=2)
    enter_sheet(drive=drive, round_number=1, table=1, hand=2, score=[3, -1, -1, -1], by=None)
    file = export_to_dict(drive)
    hands = file["played"][0]["tables"][0]["hands"]
    assert hands == [
        {
            "hand": 1,
            "score": [3, -3, 3, -3],
            "contract": {"contract": "together-8", "by": [1, 3], "tricks": 9, "passed": 2},
        },
        {"hand": 2, "score": [3, -1, -1, -1]},
    ]
    file["uid"] = "00000000-0000-4000-8000-000000000039"
    imported_drive = import_drive(
        club=ClubFactory(name="Other"), file_text=json.dumps(file), by=None
    )
    assert export_to_dict(imported_drive) == file
    hands[0]["score"] = [4, -4, 4, -4]
    place = r"played\[0\].tables\[0\].hands\[0\].score: the contract gives 3 / −3"
    with pytest.raises(UnreadableDrive, match=place):
        parse_drive_file(file)
    hands[0]["contract"]["by"] = [1]
    with pytest.raises(UnreadableDrive, match=r"hands\[0\].contract.by"):
        parse_drive_file(file)


def test_round_of_one_hand_has_a_contract_too() -> None:
    drive = begin_drive(hands=1)
    enter_hand(drive, 1, contract="slam", by=[2], tricks=13)
    begin_next_round(drive=drive, shown_round_number=1, by=None)
    file = export_to_dict(drive)
    assert file["played"][0]["tables"][0]["hands"][0]["contract"]["contract"] == "slam"
    file["uid"] = "00000000-0000-4000-8000-000000000039"
    repeated_drive = import_drive(
        club=ClubFactory(name="Other"), file_text=json.dumps(file), by=None
    )
    assert export_to_dict(repeated_drive) == file
    assert list_sheet_rows(repeated_drive)[0][1:3] == (0, [-30, 90, -30, -30])


def test_correction_after_the_round_needs_a_reason() -> None:
    drive = begin_drive(hands=1)
    for table in (1, 2):
        enter_hand(drive, 1, table=table, contract="misere", by=[1], tricks=0)
    begin_next_round(drive=drive, by=None)
    drive = reload_drive(drive)
    sheet_rows_before = list_sheet_rows(drive)
    lost_misere: dict[str, Any] = {"contract": "misere", "by": [1], "tricks": 1}
    with pytest.raises(ReasonNeeded, match=r"round 1, table 1.*Enter a reason"):
        enter_hand(drive, 1, **lost_misere)
    with pytest.raises(InvalidScore, match="at most 200"):
        enter_late_hand(drive, lost_misere, "x" * 201)
    assert list_sheet_rows(drive) == sheet_rows_before
    assert enter_late_hand(drive, lost_misere, " The sheet\nshows it. ").sheet.score == [
        -21,
        7,
        7,
        7,
    ]
    assert find_last_act("drive.sheet").after["reason"] == "The sheet shows it."
    undo_act(drive=reload_drive(drive), act=find_last_act("drive.sheet"), by=None)
    assert list_sheet_rows(drive) == sheet_rows_before


def enter_late_hand(drive: Drive, contract: dict[str, Any], reason: str) -> Any:
    return enter_sheet(
        drive=drive, round_number=1, table=1, hand=1, contract=contract, reason=reason, by=None
    )
