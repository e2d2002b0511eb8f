"""A night's file: input is verified, stored files are returned unchanged, lots drawn again."""

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from clubs.errors import ActionUnavailable
from rubbers.files.export import export_night
from rubbers.files.night_file import find_inconsistencies, parse_night_file
from rubbers.models import RubberNight
from rubbers.rubber.errors import UnreadableRubber
from rubbers.services import (
    NewRubberPlayer,
    close_rubber_night,
    import_rubber_night,
    join_table,
    record_hand,
    remove_table_member,
    seat_next_players,
    substitute_player_at_table,
)
from rubbers.snapshot import load_night
from tests.factories import ClubFactory, PlayerFactory
from tests.rubbers.test_services import (
    begin_night,
    build_hand_data,
    load_snapshot,
    mark_hands,
    seat_players,
)

pytestmark = pytest.mark.django_db


def play_varied_night() -> RubberNight:
    """Return five at a table: a rubber with a revoke, a lot, a guest, and one who leaves."""
    night = begin_night(5)
    seat_players(night)
    revokes = [{"by": "B", "penalty": "plus"}, {"by": "A", "penalty": "minus"}]
    mark_hands(
        night,
        build_hand_data(9, honours={"A": 4, "B": 0}),
        build_hand_data(8, revokes=revokes),
        13,
    )
    join_table(night=night, table=1, guest=NewRubberPlayer(name="Flo"), by=None)
    seat_next_players(night=night, table=1, spell=2, seating_mode="lot", by=None)
    seated_numbers = load_snapshot(night).tables[0, 1].current_seats
    substitute_player_at_table(
        night=night, table=1, number=seated_numbers[0], name="Guy", by=None
    )
    mark_hands(night, 4, spell=2)
    waiting_numbers = load_snapshot(night).tables[0, 1].waiting_members
    remove_table_member(night=night, table=1, number=waiting_numbers[0], by=None)
    return RubberNight.objects.get()


def export_to_dict(night: RubberNight, **more: Any) -> dict[str, Any]:
    return json.loads(json.dumps(export_night(load_night(night), **more)))


def test_exported_night_is_imported_unchanged(tmp_path: Path) -> None:
    night = play_varied_night()
    file_data = export_to_dict(night)
    assert (
        import_rubber_night(club=night.club, file_text=json.dumps(file_data), by=None) == night
    )
    assert night.revision == RubberNight.objects.get().revision
    night.delete()
    club = ClubFactory()
    ann = PlayerFactory(club=club, name="Ann")
    imported_night = import_rubber_night(club=club, file_text=json.dumps(file_data), by=None)
    assert export_to_dict(imported_night) == file_data
    assert imported_night.players.get(number=1).player == ann
    record_hand(
        night=imported_night, table=1, spell=2, number=2, hand=build_hand_data(9), by=None
    )
    with pytest.raises(ActionUnavailable, match="newer than this file"):
        import_rubber_night(club=club, file_text=json.dumps(file_data), by=None)
    later_file_data = file_data | {"revision": imported_night.revision + 10, "name": "Friday"}
    assert (
        import_rubber_night(club=club, file_text=json.dumps(later_file_data), by=None).name
        == "Friday"
    )
    path = tmp_path / "night.json"
    path.write_text(json.dumps(later_file_data))
    output = io.StringIO()
    call_command("rubber", "verify", str(path), stdout=output)
    call_command("rubber", "import", str(path), "--club", club.name, stdout=output)
    call_command("rubber", "export", stdout=output)
    verified, imported, exported = map(json.loads, output.getvalue().splitlines())
    assert (verified, imported["players"]) == ({"verified": True}, 6)
    assert exported == later_file_data


def test_manipulated_draws_seats_and_standings_are_reported() -> None:
    night = play_varied_night()
    file_data = export_to_dict(night, should_include_secret=False)
    assert file_data["secret"] is None
    assert (
        "not published yet" in find_inconsistencies(parse_night_file(json.dumps(file_data)))[0]
    )
    close_rubber_night(night=night, by=None)
    file_data = export_to_dict(RubberNight.objects.get(), should_include_secret=False)
    assert find_inconsistencies(parse_night_file(json.dumps(file_data))) == []
    for difference, change in (
        (
            "table 1, partnership 2: the draw gives different cards",
            lambda spell: spell["cuts"]["in"].pop(),
        ),
        (
            "table 1, partnership 2: the cards give different seats",
            lambda spell: spell["seats"].reverse(),
        ),
    ):
        manipulated_data = copy.deepcopy(file_data)
        change(manipulated_data["tables"][0]["spells"][1])
        assert difference in find_inconsistencies(
            parse_night_file(json.dumps(manipulated_data))
        )
    file_data["standing"][0]["points"] += 1
    assert find_inconsistencies(parse_night_file(json.dumps(file_data))) == [
        "the standings don’t match the hands"
    ]


@pytest.mark.parametrize(
    ("change", "error_text"),
    [
        (
            lambda f: f.update(format="x"),
            "format: this is “x”, but this program reads overplay-rubbers.",
        ),
        (lambda f: f.update(code="x"), "code: one of: pole"),
        (lambda f: f.update(terms={"game": 0}), "terms: game: 0 is out of range"),
        (
            lambda f: f.update(date="2026-02-30"),
            "date: “2026-02-30” isn’t a date. Enter it as",
        ),
        (lambda f: f.update(uid=3), "uid: 3 is a number. Write it as text"),
        (lambda f: f.update(secret="xyz"), "secret: this isn’t hexadecimal"),
        (lambda f: f.update(strange=1), "strange: Unknown key"),
        (
            lambda f: f["players"].append({"number": 1, "name": "B"}),
            "players[5].number: 1 appears twice",
        ),
        (lambda f: f["players"].pop(), "tables[0].members[4].number: player “5” not found"),
        (lambda f: f["tables"].append(f["tables"][0]), "tables[1].table: 1 appears twice"),
        (
            lambda f: f["tables"][0]["members"][0].update(until=0, since=3),
            "tables[0].members[0]: a player cannot leave before joining",
        ),
        (
            lambda f: [
                (
                    f["players"].append({"number": n, "name": f"P{n}"}),
                    f["tables"][0]["members"].append({"number": n}),
                )
                for n in (6, 7)
            ],
            "tables[0].members: a table can have at most 6 players",
        ),
        (lambda f: f["tables"][0]["spells"][0].update(dealer=5), "one of them the dealer"),
        (lambda f: f["tables"][0]["spells"][0].update(seats=[1, 1, 2, 3]), "four different"),
        (
            lambda f: f["tables"][0]["spells"][0]["hands"].append({"tricks": {"A": 7, "B": 7}}),
            "tables[0].spells[0].hands[1]: tricks 7 and 7 add up to 14",
        ),
        (
            lambda f: f["tables"][0]["spells"][0]["hands"].append(
                {"tricks": {"A": 7, "B": 6}, "revokes": [{"by": "A"}]}
            ),
            "tables[0]: partnership 1: hand 2: choose the penalty for side A’s revoke",
        ),
    ],
)
def test_invalid_file_is_refused_with_its_position(change: Any, error_text: str) -> None:
    players = [{"number": n, "name": f"P{n}"} for n in range(1, 6)]
    texts_by_key = {
        "format": "overplay-rubbers",
        "version": 1,
        "name": "Night",
        "code": "pole",
        "players": players,
        "tables": [
            {
                "table": 1,
                "members": [{"number": n} for n in range(1, 6)],
                "spells": [
                    {
                        "seats": [1, 2, 3, 4],
                        "dealer": 1,
                        "hands": [{"tricks": {"A": 9, "B": 4}}],
                    }
                ],
            }
        ],
    }
    assert parse_night_file(json.dumps(texts_by_key)).tables[0].number == 1
    change(texts_by_key)
    with pytest.raises(UnreadableRubber) as exc_info:
        parse_night_file(json.dumps(texts_by_key))
    assert error_text in str(exc_info.value)


def play_rubber_by_lot(night: RubberNight, spell: int) -> list[int]:
    seated = seat_next_players(
        night=night, table=1, spell=spell, seating_mode="lot", by=None
    ).seats
    mark_hands(night, 13, 13, spell=spell)
    return seated


@pytest.mark.parametrize("member_count", [5, 6])
def test_returning_player_gets_a_seat_and_draws_stay_valid(member_count: int) -> None:
    night = begin_night(member_count)
    leaving_number = play_rubber_by_lot(night, 1)[0]
    remove_table_member(night=night, table=1, number=leaving_number, by=None)
    if member_count == 6:
        guest_member = join_table(
            night=night, table=1, guest=NewRubberPlayer(name="Gus"), by=None
        )
    play_rubber_by_lot(night, 2)
    if member_count == 6:
        remove_table_member(night=night, table=1, number=guest_member.number, by=None)
    join_table(night=night, table=1, number=leaving_number, by=None)
    assert leaving_number in load_snapshot(night).tables[0, 1].present_members
    play_rubber_by_lot(night, 3)
    close_rubber_night(night=night, by=None)
    file_data = export_to_dict(RubberNight.objects.get())
    assert find_inconsistencies(parse_night_file(json.dumps(file_data))) == []
    file_data["tables"][0]["spells"][1]["seats"].reverse()
    assert find_inconsistencies(parse_night_file(json.dumps(file_data)))


def test_invalid_file_creates_no_club(tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    path.write_text('{"format": "overplay-rubbers"}')
    with pytest.raises(CommandError) as exc_info:
        call_command("rubber", "import", str(path))
    assert exc_info.value.returncode == 2
    assert RubberNight.objects.count() == 0
