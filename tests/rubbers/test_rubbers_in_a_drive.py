"""The rubbers of a drive's tables are in its file, and checked by its seats and scores."""

import json
from collections.abc import Callable

import pytest

from clubs.errors import ActionUnavailable
from drives.errors import UnreadableDrive
from drives.files.drive_file import parse_drive_file
from drives.services import import_drive
from rubbers.drive_tables import RUBBER_TABLE_HOOKS
from rubbers.files.drive_file import DriveFileWithRubbers
from rubbers.models import RubberNight
from rubbers.services import enable_rubbers, record_hand, set_table_round_ended
from tests.drives.test_drive_rows_and_files import export_round_trip, move_drive_away
from tests.drives.test_services import begin_drive

pytestmark = pytest.mark.django_db


def test_drive_file_contains_its_rubbers() -> None:
    drive = begin_drive(form="lot", size=8, hands=1, score={"kind": "side", "sum": 0})
    night = enable_rubbers(drive=drive, code="pole", terms={"best_of": 1}, by=None)
    hand_arguments = {"night": night, "round": 1, "spell": 1, "by": None}
    record_hand(**hand_arguments, table=1, number=1, hand={"tricks": {"A": 9, "B": 4}})
    hand_with_revoke = {"tricks": {"A": 8, "B": 5}, "revokes": [{"by": "A", "penalty": "plus"}]}
    record_hand(**hand_arguments, table=2, number=1, hand=hand_with_revoke)
    set_table_round_ended(night=night, table=2, round=1, by=None)
    round_trip = export_round_trip(drive)
    record_hand(**hand_arguments, table=1, number=2, hand={"tricks": {"A": 10, "B": 3}})
    round_trip_before = export_round_trip(drive)
    assert round_trip_before["revision"] > round_trip["revision"]
    assert round_trip_before["played"][0]["tables"][0]["score"] == [5, -5]
    first_table = round_trip_before["rubbers"]["tables"][0]
    assert (
        round_trip_before["rubbers"]["code"],
        first_table["round"],
        len(first_table["hands"]),
    ) == ("pole", 1, 2)
    imported_drive = import_drive(
        club=move_drive_away(drive), file_text=json.dumps(round_trip_before), by=None
    )
    assert export_round_trip(imported_drive) == round_trip_before
    imported_night = RubberNight.objects.get(drive=imported_drive)
    assert imported_night.terms == {"best_of": 1}
    with pytest.raises(ActionUnavailable, match="this table’s round is finished"):
        record_hand(
            **hand_arguments | {"night": imported_night},
            table=1,
            number=3,
            hand={"tricks": {"A": 9, "B": 4}},
        )
    tampered_data = json.loads(json.dumps(round_trip_before))
    tampered_data["played"][0]["tables"][0]["score"] = [4, -4]
    for data, message in (
        (round_trip_before, []),
        (tampered_data, ["Round 1, table 1: the hands give a different score."]),
    ):
        drive_file = parse_drive_file(json.dumps(data), DriveFileWithRubbers)
        assert RUBBER_TABLE_HOOKS.find_mark_differences(drive_file) == message


@pytest.mark.parametrize(
    ("change", "error_pattern"),
    [
        (lambda r: r.update(code="bridge"), "rubbers: "),
        (lambda r: r.update(terms={"game": "x"}), "rubbers: "),
        (lambda r: r["tables"][0].update(round=9), r"rubbers.tables\[0\]: no one plays"),
        (
            lambda r: r["tables"][0].update(seats=[1, 2, 3, 77]),
            r"tables\[0\]: different players sit there",
        ),
        (lambda r: r["tables"][0].update(hands=[]), r"tables\[0\].hands: The list is empty"),
        (
            lambda r: r["tables"][0]["hands"][0]["tricks"].update(A=14),
            r"tables\[0\]: hand 1, tricks",
        ),
        (lambda r: r["tables"].append(r["tables"][0]), "appears twice"),
        (
            lambda r: r["tables"][0].update(hands=6 * [{"tricks": {"A": 13, "B": 0}}]),
            "hand 3 comes after the end of the rubber",
        ),
    ],
)
def test_drive_file_with_impossible_rubbers_is_refused(
    change: Callable, error_pattern: str
) -> None:
    drive = begin_drive(form="lot", size=4, hands=1, score={"kind": "side", "sum": 0})
    night = enable_rubbers(drive=drive, code="pole", by=None)
    hand = {"tricks": {"A": 9, "B": 4}}
    record_hand(night=night, round=1, table=1, spell=1, number=1, hand=hand, by=None)
    file_data = export_round_trip(drive)
    change(file_data["rubbers"])
    with pytest.raises(UnreadableDrive, match=error_pattern):
        parse_drive_file(json.dumps(file_data), DriveFileWithRubbers)
