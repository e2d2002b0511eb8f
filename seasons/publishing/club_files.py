"""Zip exports of a club: requested on a page, and created by a worker."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor
from clubs.models import Club, Player
from clubs.privacy import has_public_page
from exchange.data_tables import Cell, DataTable, DateCell, ExactNumber, encode_csv
from exchange.workbooks import build_workbook
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules import LadderRow, LadderTable
from seasons.ladders.season_tables import load_ladder_tables
from seasons.ladders.sheets.ladders import (
    build_ladder_sheet,
    build_ladder_table,
    load_ladder_people,
)
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.files import make_file_names, write_zip
from seasons.publishing.models import ClubFile
from seasons.publishing.services import iter_event_tables
from seasons.publishing.site.generator import iter_site_files
from server.jobs.kinds import JobKind, Lane, find_club_by_column
from server.jobs.outbox import enqueue
from server.jobs.progress_files import (
    ProgressCallback,
    build_progress_writer,
    ignore_progress,
    read_percentage,
)
from tournaments.models import Event

File = tuple[str, bytes]
PEOPLE_COLUMNS = ("name", "shown", "number", "kind", "joined", "left", "email", "phone")
VALUE_COLUMNS = ("date", "evening", "who", "value", "value_exact", "counts", "boards")
EVENING_COLUMNS = ("date", "event", "name", "contest", "folder")
FILE_LIFETIME = timedelta(days=1)
"""The time after which a finished zip is deleted."""


def iter_club_tables(
    club: Club,
    only: Season | None = None,
    *,
    in_full: bool = False,
    progress: ProgressCallback = ignore_progress,
) -> Iterator[File]:
    """Yield all tables of a club as files; only one file is in memory at a time.

    `in_full` is for owners of the club: the tables then have full names and contact details.
    Otherwise they have the public names.
    """
    events = list(query_events_to_publish(club, only))
    folders = make_file_names(event.slug for event in events)
    data: dict[str, Iterable[str]] = {"evenings.csv": EVENING_COLUMNS}
    evenings = DataTable(
        "evenings", EVENING_COLUMNS, [_build_evening_row(event_, folders) for event_ in events]
    )
    yield "evenings.csv", encode_csv(evenings)
    if in_full:
        data["people.csv"] = PEOPLE_COLUMNS
        yield (
            "people.csv",
            encode_csv(DataTable("people", PEOPLE_COLUMNS, list(iter_people_rows(club)))),
        )
    for done_count, (event, files) in enumerate(iter_event_tables(events, in_full=in_full)):
        progress(done_count, len(events))
        for name, table in files.items():
            data[f"evenings/…/{name}.csv"] = table.keys
            yield f"evenings/{folders[event.slug]}/{name}.csv", table.csv
    seasons = [only] if only else list(club.seasons.all())
    for season in seasons:
        for name, sheet in _iter_ladder_tables(season, in_full=in_full):
            data[f"seasons/…/{'ladder' if 'values' not in name else 'values'}"] = sheet.keys
            yield f"{name}.csv", encode_csv(sheet)
            yield f"{name}.xlsx", build_workbook([sheet])
    yield "README.txt", _write_readme(club, data)
    progress(len(events), len(events))


def _build_evening_row(event: Event, folders: Mapping[str, str]) -> list[Cell]:
    day = DateCell(event.date.isoformat())
    return [day, event.slug, event.name, event.contest, f"evenings/{folders[event.slug]}"]


def iter_people_rows(club: Club) -> Iterator[list[Cell]]:
    for player in club.players.order_by("name"):
        joined_cell = DateCell(player.joined.isoformat()) if player.joined else None
        left_cell = DateCell(player.left.isoformat()) if player.left else None
        yield [
            player.name,
            player.shown,
            player.number,
            player.kind,
            joined_cell,
            left_cell,
            player.email,
            player.phone,
        ]


def _iter_ladder_tables(season: Season, *, in_full: bool) -> Iterator[tuple[str, DataTable]]:
    for row, table in load_ladder_tables(season):
        folder = f"seasons/{season.slug}/{row.slug}".lower()
        yield folder, build_ladder_table(build_ladder_sheet(row, table, in_full=in_full))
        yield f"{folder}-values", _build_values_table(row, table, in_full=in_full)


def _build_values_table(row: Ladder, table: LadderTable, *, in_full: bool) -> DataTable:
    """Return a ladder's table of values, with a row for each ranked subject and evening.

    Hidden names are included only with `in_full`, for owners of the club.
    """
    people = load_ladder_people(table)
    rows = [
        [
            DateCell(evening_value.evening.day),
            evening_value.evening.name,
            _format_person(ladder_row, people, in_full=in_full),
            evening_value.value,
            ExactNumber(evening_value.value),
            "yes" if number in ladder_row.counted else "no",
            evening_value.entry.boards,
        ]
        for ladder_row in table.rows
        if in_full or all(has_public_page(people[key]) for key in ladder_row.people)
        for number, evening_value in enumerate(ladder_row.evening_values)
    ]
    ordered = sorted(rows, key=lambda cells: (str(cells[2]), str(cells[0]), str(cells[1])))
    return DataTable(f"{row.name} values", VALUE_COLUMNS, ordered)


def _format_person(row: LadderRow, people: Mapping[int, Player], *, in_full: bool) -> str:
    own_names = [people[key] for key in row.people]
    names = sorted(own_name.name if in_full else own_name.shown_name for own_name in own_names)
    return row.who if isinstance(row.who, str) else " & ".join(names)


def _write_readme(club: Club, columns_by_file: Mapping[str, Iterable[str]]) -> bytes:
    lines = [
        club.name,
        "",
        _("CSV as RFC 4180: UTF-8, commas, dates such as 2026-03-10."),
        _("Columns that end in _exact have exact fractions such as -5/2."),
        _("An apostrophe precedes text that a spreadsheet could read as a formula."),
        _("The .xlsx files have the same cells."),
        "",
        *(f"{name}: {', '.join(keys)}" for name, keys in columns_by_file.items()),
    ]
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


State = ClubFile.State


def get_club_file_path(file: ClubFile) -> Path:
    """Return the path of a zip, in a folder that only the program's user can read."""
    folder = Path(settings.DATA_DIR) / "files"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{file.pk}.zip"


@transaction.atomic
def queue_club_file(
    *, club: Club, kind: str, season: Season | None = None, in_full: bool = False, by: Actor
) -> ClubFile:
    """Queue the creation of a zip; return the queued one if an equal request is waiting."""
    Club.objects.select_for_update().get(pk=club.pk)  # a double click races here
    _delete_expired()
    request_values = {"club": club, "kind": kind, "season": season, "in_full": in_full}
    file = ClubFile.objects.filter(**request_values, state=State.WANTED).first()
    if file is None:
        file = ClubFile.objects.create(
            **request_values, by=audit.format_author_key(by), asked_at=timezone.now()
        )
        enqueue(CLUB_FILE_JOB, file.pk)
    return file


def create_club_file(pk: int) -> None:
    """Create a queued zip, or retry a failed one; do nothing if it is already done."""
    rows = ClubFile.objects.select_related("club", "season__club")
    file = rows.filter(pk=pk).exclude(state=State.DONE).first()
    if file is None:
        return
    ClubFile.objects.filter(pk=pk).update(state=State.WANTED, error="")
    if file.kind == ClubFile.Kind.SITE:
        files = iter_site_files(
            file.club, file.season, build_progress_writer(_get_progress_path(file))
        )
    else:
        progress = build_progress_writer(_get_progress_path(file))
        files = iter_club_tables(
            file.club, file.season, in_full=file.in_full, progress=progress
        )
    count = write_zip(files, get_club_file_path(file))
    ClubFile.objects.filter(pk=pk).update(state=State.DONE, parts=count)
    _get_progress_path(file).unlink(missing_ok=True)


def read_zip_progress(file: ClubFile) -> int:
    """Return the progress of a zip in per cent, as last stored by the worker."""
    return read_percentage(_get_progress_path(file))


def _get_progress_path(file: ClubFile) -> Path:
    return get_club_file_path(file).with_suffix(".progress")


def _mark_failed(pk: int, error: str) -> None:
    for file in ClubFile.objects.filter(pk=pk, state=State.WANTED):
        ClubFile.objects.filter(pk=pk).update(state=State.FAILED, error=error)
        _get_progress_path(file).unlink(missing_ok=True)


def _list_unfinished() -> Iterable[int]:
    return list(ClubFile.objects.filter(state=State.WANTED).values_list("pk", flat=True))


def _delete_expired() -> None:
    for expired_file in ClubFile.objects.filter(asked_at__lt=timezone.now() - FILE_LIFETIME):
        get_club_file_path(expired_file).unlink(missing_ok=True)
        expired_file.delete()


CLUB_FILE_JOB = JobKind(
    "club_file",
    title=gettext_lazy("files of a club's results"),
    lane=Lane.LATER,
    time_limit=1800,
    run=create_club_file,
    find_missing=_list_unfinished,
    on_failure=_mark_failed,
    find_club=find_club_by_column(ClubFile.objects),
)
