"""Reading a file has bounded cost and short errors, whatever the file contains."""

import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from boards import files, usebio
from boards.whist import WhistError
from clubs.people.tables import parse_list_file
from drives.files.drive_file import parse_drive_file
from exchange.eventfile.reader import EVENT_FILE_FORMAT
from exchange.eventfile.reader import read_event_file as read_event
from rubbers.files.night_file import parse_night_file
from seasons.calendar import booking_file as bookingfile
from seasons.grades.grades_file import read_grades
from seasons.ladders.season_file import read_season
from tests import evenings
from tests.factories import PlayerFactory
from tournaments import rosters
from tournaments.movements.systems.custom_text import parse_schedule_rows

FILE_SIZE = 900_000
MAX_SECONDS = 3  # about five times the slowest case on an idle machine
READERS: dict[str, Callable[[bytes], object]] = {
    "boards": files.read_boards,
    "USEBIO": usebio.read_usebio,
    "event": read_event,
    "season": read_season,
    "grades": read_grades,
    "people": parse_list_file,
    "entries": rosters.read_file,
    "drive": lambda content: parse_drive_file(content.decode()),
    "rubbers": lambda content: parse_night_file(content.decode()),
    "movement": lambda content: parse_schedule_rows(content.decode()),
}


def repeat_to_file_size(piece: str) -> str:
    return (piece * (FILE_SIZE // len(piece) + 1))[:FILE_SIZE]


HOSTILE_CONTENTS = {
    "deepest list": "[" * FILE_SIZE,
    "deepest group": repeat_to_file_size('{"a":'),
    "longest number": '{"format":' + "9" * FILE_SIZE + "}",
    "infinite number": '{"format":1e999999}',
    "most items": f"[{repeat_to_file_size('0,')}0]",
    "most keys": "{" + ",".join(f'"{n}":0' for n in range(70_000)) + "}",
    "longest line": "a" * FILE_SIZE,
    "widest line": "a," * (FILE_SIZE // 2),
    "most lines": "\n" * FILE_SIZE,
    "most rows": repeat_to_file_size("a,b\n"),
    "open quotation mark": '"' + repeat_to_file_size("a\n"),
    "PBN tags": repeat_to_file_size('[Board "1"]\n'),
    "PBN boards": repeat_to_file_size(
        '[Board "1"]\n[Deal "N:AKQ... .AKQ.. ..AKQ. ...AKQ"]\n\n'
    ),
    "LIN boards": "md|1SA|" + repeat_to_file_size("md|"),
    "USEBIO boards": '<?xml version="1.0"?><USEBIO>' + repeat_to_file_size("<BOARD>"),
    "players": json.dumps({"format": EVENT_FILE_FORMAT, "players": [{}] * 150_000}),
    "results": json.dumps(
        {"format": EVENT_FILE_FORMAT, "sessions": [{"sections": [{"results": [{}] * 200_000}]}]}
    ),
}


@pytest.mark.parametrize("name", HOSTILE_CONTENTS)
@pytest.mark.parametrize("reader", READERS)
def test_hostile_file_is_refused_quickly(reader: str, name: str) -> None:
    content = HOSTILE_CONTENTS[name].encode()
    started = process_time()
    refusal = ""
    try:
        READERS[reader](content)
    except WhistError as error:
        refusal = str(error)
    assert process_time() - started < MAX_SECONDS
    assert len(refusal) < 200_000


@pytest.mark.django_db
def test_players_of_a_booking_file_are_found_in_one_query(
    django_assert_max_num_queries: Any,
) -> None:
    club, user = evenings.create_club_with_director()
    PlayerFactory(club=club, name="Ann Alder")
    person = {"name": "Ann Alder", "number": "", "uid": "", "accepted": True}
    booking = {"uid": "", "made": "2026-03-10T19:00:00+00:00", "people": [person]}
    evening = {"uid": "", "date": "2026-03-10", "title": "", "bookings": [booking] * 300}
    document = {
        "format": bookingfile.BOOKING_FILE_FORMAT,
        "club": {"name": club.name},
        "evenings": [evening],
    }
    with django_assert_max_num_queries(20), pytest.raises(WhistError):
        bookingfile.import_booking_file(
            document=json.dumps(document).encode(), club=club, by=user
        )
