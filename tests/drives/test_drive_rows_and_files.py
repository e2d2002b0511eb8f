"""A drive file is imported and exported unchanged, continues elsewhere, and proves draws."""

import copy
import json
from collections.abc import Callable

import pytest

from drives.files.drive_file import parse_drive_file as read_file
from drives.files.export import export_drive
from drives.files.verify import list_prize_draw_mismatches, list_seating_mismatches
from drives.models import Drive, DrivePlayer, Round, Sheet
from drives.play_forms import PLAY_FORMS
from drives.services import (
    NewPlayer,
    add_late_player,
    begin_next_round,
    close_drive,
    enter_sheet,
    enter_total,
    import_drive,
    remove_player,
    set_prizes,
    substitute_player,
)
from tests.drives.test_drive_command import DRIVE_FILE, read_refusal, run_command
from tests.drives.test_services import begin_drive, load_snapshot, play_rounds
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def export_round_trip(drive: Drive) -> dict:
    """Return a drive's file after a round trip through JSON."""
    return json.loads(json.dumps(export_drive(load_snapshot(drive))))


def test_file_is_imported_once_and_exported_unchanged() -> None:
    first_output = run_command("import", file=DRIVE_FILE)
    repeated_output = run_command("import", file=DRIVE_FILE)
    assert first_output == repeated_output
    assert Drive.objects.count() == 1
    assert run_command("export") == DRIVE_FILE
    assert (
        run_command("export", first_output["slug"])
        == run_command("export", first_output["uid"])
        == DRIVE_FILE
    )
    assert run_command("standings", file=run_command("export")) == run_command(
        "standings", file=DRIVE_FILE
    )


def test_file_with_explicit_defaults_is_exported_unchanged() -> None:
    explicit_file = copy.deepcopy(DRIVE_FILE) | {
        "date": "2026-11-20",
        "rounds": None,
        "one_prize_each": True,
    }
    explicit_file["players"][0] |= {"present": True, "club": None}
    explicit_file["score"] |= {"rest": 1600, "ties": ["rounds-won"]}
    explicit_file["prizes"].append({"words": "Raffle", "measure": "raffle"})
    explicit_file["comment"] = {"anything": [1, None]}
    run_command("import", file=explicit_file)
    assert run_command("export") == explicit_file
    drive = Drive.objects.get()
    enter_total(drive=drive, number=9, total=5, by=None)
    output = run_command("export")
    assert output["totals"] == [{"number": 9, "total": 5}]
    assert output["date"] == "2026-11-20"
    assert "comment" not in output  # comments are dropped, as they may be about a changed part


@pytest.mark.slow
@pytest.mark.parametrize("form", PLAY_FORMS)
def test_imported_unfinished_drive_continues_as_the_original_would(form: str) -> None:
    drive = begin_drive(form, size=12, rounds=4, secret=b"the same")
    play_rounds(drive, 2)
    has_fixed_partners = PLAY_FORMS[form].has_fixed_partners
    if form != "cut":
        if not has_fixed_partners:
            add_late_player(drive=drive, new_player=NewPlayer(name="Late"), by=None)
            remove_player(player=load_snapshot(drive).player_by_number[5], by=None)
        player = load_snapshot(drive).player_by_number[7]
        substitute_player(
            player=player,
            new_player=NewPlayer(name="Sub"),
            should_take_over_score=False,
            by=None,
        )
    round_trip_before = export_round_trip(drive)
    first_import = import_drive(
        club=move_drive_away(drive), file_text=json.dumps(round_trip_before), by=None
    )
    assert export_round_trip(first_import) == round_trip_before
    for table in (
        load_snapshot(first_import).round_by_number[first_import.at_round].seats_by_table
    ):
        enter_sheet(drive=first_import, round_number=2, table=table, score=[8], by=None)
    begin_next_round(drive=first_import, shown_round_number=2, by=None)
    round_trip_after = export_round_trip(first_import)
    imported_drive = import_drive(
        club=move_drive_away(first_import), file_text=json.dumps(round_trip_before), by=None
    )
    for table in (
        load_snapshot(imported_drive).round_by_number[imported_drive.at_round].seats_by_table
    ):
        enter_sheet(drive=imported_drive, round_number=2, table=table, score=[8], by=None)
    begin_next_round(drive=imported_drive, shown_round_number=2, by=None)
    assert export_round_trip(imported_drive)["played"] == round_trip_after["played"]
    assert list_seating_mismatches(read_file(json.dumps(round_trip_after))) == []


def move_drive_away(drive: Drive):
    """Delete a drive to simulate another machine; return a new club."""
    Sheet.objects.filter(round__drive=drive).delete()
    Round.objects.filter(drive=drive).delete()
    DrivePlayer.objects.filter(drive=drive).update(takes_over=None)
    drive.delete()
    return ClubFactory()


def test_diverged_file_is_refused_and_a_newer_one_imported() -> None:
    drive = begin_drive(size=8)
    early_file = json.dumps(export_round_trip(drive))
    play_rounds(drive, 1)
    late_round_trip = export_round_trip(drive)
    club = move_drive_away(drive)
    imported_drive = import_drive(club=club, file_text=early_file, by=None)
    import_drive(club=club, file_text=json.dumps(late_round_trip), by=None)
    assert export_round_trip(imported_drive) == late_round_trip
    enter_sheet(drive=imported_drive, round_number=1, table=1, score=[0], by=None)
    with pytest.raises(Exception, match="newer than this file"):
        import_drive(club=club, file_text=json.dumps(late_round_trip), by=None)
    with pytest.raises(Exception, match="already belongs to"):
        import_drive(club=ClubFactory(), file_text=early_file, by=None)


@pytest.mark.parametrize("form", ["social", "lot", "standing", "progressive", "partner"])
def test_lots_and_seats_can_be_redrawn_from_the_published_file(form: str) -> None:
    drive = begin_drive(form, size=14, rounds=3)
    prizes = [{"words": "Luck", "measure": "lucky-number", "ties": "lot"}]
    set_prizes(drive=drive, lines=prizes, by=None)
    play_rounds(drive, 3)
    with pytest.raises(Exception, match="secret: missing"):
        list_seating_mismatches(
            read_file(
                json.dumps(export_drive(load_snapshot(drive), should_include_secret=False))
            )
        )
    close_drive(drive=drive, by=None)
    file_data = export_round_trip(drive)
    assert run_command("verify", file=file_data) == {"verified": True}
    other_file_data = copy.deepcopy(file_data)
    seats = other_file_data["played"][2]["tables"][0]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    file = read_file(json.dumps(other_file_data))
    assert list_seating_mismatches(file) == ["Round 3: the seats don’t match the secret."]
    other_file_data = file_data | {"secret": "00" * 32}
    file = read_file(json.dumps(other_file_data))
    assert list_prize_draw_mismatches(file)
    assert form == "partner" or len(list_seating_mismatches(file)) > 0


def test_hands_are_exported_and_imported_unchanged() -> None:
    drive = begin_drive(size=8, hands=4, halves=True)
    for hand, tricks in enumerate((7, 6, 10), start=1):
        enter_sheet(drive=drive, round_number=1, table=1, hand=hand, score=[tricks], by=None)
    enter_total(drive=drive, number=3, total=52, part=2, rests=1, rows=[20, 32], by=None)
    round_trip_before = export_round_trip(drive)
    assert round_trip_before["played"][0]["tables"][0]["hands"][2] == {
        "hand": 3,
        "score": [10, 3],
    }
    elsewhere = import_drive(
        club=move_drive_with_cards(drive), file_text=json.dumps(round_trip_before), by=None
    )
    assert export_round_trip(elsewhere) == round_trip_before
    assert load_snapshot(elsewhere).round_by_number[1].count_hands_entered(1, 4) == 3


def move_drive_with_cards(drive: Drive):
    for card in load_snapshot(drive).card_totals:
        card.delete()
    return move_drive_away(drive)


def change_file(change: Callable[[dict], object]) -> dict:
    document = copy.deepcopy(DRIVE_FILE)
    change(document)
    return document


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda f: f.update(date="yesterday"), "date: “yesterday” isn’t a date"),
        (lambda f: f.update(uid="me"), "uid: "),
        (lambda f: f.update(trumps="HX"), "trumps: "),
        (lambda f: f.update(apart=[[1, 1]]), "apart[0]: "),
        (lambda f: f.update(apart=[[1, 77]]), "apart[0]: "),
        (lambda f: f.update(terms={"first": 3}), "terms: social has no setting"),
        (lambda f: f.update(state="done"), "state: “done” isn’t known"),
        (lambda f: f.update(words=["lady"]), "words: "),
        (lambda f: f.update(to_play=[f["played"][0]]), "to_play[0].round: "),
        (lambda f: f.update(draws=[{"kind": "drawn", "first": 1}]), "draws[0].given: "),
        (
            lambda f: f.update(draws=[{"kind": "drawn", "first": 1, "given": {"players": 3}}]),
            "draws[0].given: ",
        ),
        (
            lambda f: f.update(
                draws=[{"kind": "drawn", "first": 1, "given": {"players": [1, 2, 3, 88]}}]
            ),
            "draws[0].given: player 88 not found",
        ),
        (lambda f: f["players"][0].update(takes_over=55), "players[0].takes_over: "),
        (lambda f: f["players"][0].update(from_round=5, to_round=2), "players[0]: "),
        (
            lambda f: f["played"][0]["tables"][0].update(hands=[{"hand": 1, "score": [7, 7]}]),
            "played[0].tables[0].hands[0]: 7 and 7 add up to 14",
        ),
        (
            lambda f: f.update(awards=[{"prize": 9, "number": 1}]),
            "awards[0]: prize 9 not found",
        ),
        (lambda f: f.update(awards=[{"prize": 1, "number": 99}]), "awards[0]: player 99 not"),
    ],
)
def test_error_of_a_faulty_file_names_its_position_and_nothing_is_stored(
    change: Callable[[dict], object], place: str
) -> None:
    assert place in read_refusal("import", file=change_file(change))
    assert Drive.objects.count() == 0


def test_stored_file_is_parsed_like_the_rows() -> None:
    drive = begin_drive(size=9, form="lot")
    play_rounds(drive, 2)
    file = read_file(json.dumps(export_round_trip(drive)))
    assert [item.number for item in file.played_rounds] == [1, 2]
    assert len(file.players) == 9
