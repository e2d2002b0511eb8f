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
    load_ladder_players,
)
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.files import make_file_names, write_zip
from seasons.publishing.models import ClubFile
from seasons.publishing.services import iter_event_tables
from seasons.publishing.site.generator import iter_site_files
from server.jobs.kinds import JobKind, Lane, build_club_finder
from server.jobs.outbox import enqueue
from server.jobs.progress_files import (
    ProgressCallback,
    build_progress_writer,
    ignore_progress,
    read_percentage,
)
from tournaments.models import Event

FileNameAndContent = tuple[str, bytes]
PEOPLE_COLUMNS = ("name", "shown", "number", "kind", "joined", "left", "email", "phone")
LADDER_VALUE_COLUMNS = ("date", "evening", "who", "value", "value_exact", "counts", "boards")
EVENING_COLUMNS = ("date", "event", "name", "contest", "folder")
FILE_LIFETIME = timedelta(days=1)
"""The time after which a finished zip is deleted."""


def iter_club_table_files(
    club: Club,
    season_filter: Season | None = None,
    *,
    has_full_names: bool = False,
    report_progress: ProgressCallback = ignore_progress,
) -> Iterator[FileNameAndContent]:
    """Yield all tables of a club as files; only one file is in memory at a time.

    `has_full_names` is for owners of the club: the tables then also have contact details.
    Otherwise the tables have the public names.
    """
    events = list(query_events_to_publish(club, season_filter))
    folder_by_slug = make_file_names(event.slug for event in events)
    columns_by_file: dict[str, Iterable[str]] = {"evenings.csv": EVENING_COLUMNS}
    evenings = DataTable(
        "evenings",
        EVENING_COLUMNS,
        [_build_evening_row(event, folder_by_slug) for event in events],
    )
    yield "evenings.csv", encode_csv(evenings)
    if has_full_names:
        columns_by_file["people.csv"] = PEOPLE_COLUMNS
        yield (
            "people.csv",
            encode_csv(DataTable("people", PEOPLE_COLUMNS, list(iter_people_rows(club)))),
        )
    for done_count, (event, files) in enumerate(
        iter_event_tables(events, has_full_names=has_full_names)
    ):
        report_progress(done_count, len(events))
        for file_stem, table in files.items():
            columns_by_file[f"evenings/…/{file_stem}.csv"] = table.column_keys
            yield f"evenings/{folder_by_slug[event.slug]}/{file_stem}.csv", table.csv
    seasons = [season_filter] if season_filter else list(club.seasons.all())
    for season in seasons:
        for file_stem, ladder_table in _iter_ladder_tables(
            season, has_full_names=has_full_names
        ):
            columns_by_file[
                f"seasons/…/{'ladder' if 'values' not in file_stem else 'values'}"
            ] = ladder_table.column_keys
            yield f"{file_stem}.csv", encode_csv(ladder_table)
            yield f"{file_stem}.xlsx", build_workbook([ladder_table])
    yield "README.txt", _build_readme(club, columns_by_file)
    report_progress(len(events), len(events))


def _build_evening_row(event: Event, folder_by_slug: Mapping[str, str]) -> list[Cell]:
    day = DateCell(event.date.isoformat())
    return [
        day,
        event.slug,
        event.name,
        event.contest,
        f"evenings/{folder_by_slug[event.slug]}",
    ]


def iter_people_rows(club: Club) -> Iterator[list[Cell]]:
    """Yield the cells of each player of a club, with full names and contact details."""
    for player in club.players.order_by("name"):
        joined_date_cell = DateCell(player.joined.isoformat()) if player.joined else None
        left_date_cell = DateCell(player.left.isoformat()) if player.left else None
        yield [
            player.name,
            player.shown,
            player.number,
            player.kind,
            joined_date_cell,
            left_date_cell,
            player.email,
            player.phone,
        ]


def _iter_ladder_tables(
    season: Season, *, has_full_names: bool
) -> Iterator[tuple[str, DataTable]]:
    for ladder, table in load_ladder_tables(season):
        folder = f"seasons/{season.slug}/{ladder.slug}".lower()
        yield (
            folder,
            build_ladder_table(
                build_ladder_sheet(ladder, table, has_full_names=has_full_names)
            ),
        )
        yield (
            f"{folder}-values",
            _build_ladder_values_table(ladder, table, has_full_names=has_full_names),
        )


def _build_ladder_values_table(
    ladder: Ladder, table: LadderTable, *, has_full_names: bool
) -> DataTable:
    """Return the evening values of a ladder: a row for each person, pair or team and evening.

    Hidden names are included only with `has_full_names`, for owners of the club.
    """
    players_by_pk = load_ladder_players(table)
    rows = [
        [
            DateCell(evening_value.evening.day),
            evening_value.evening.name,
            _format_row_names(ladder_row, players_by_pk, has_full_names=has_full_names),
            evening_value.value,
            ExactNumber(evening_value.value),
            "yes" if index in ladder_row.counted_indexes else "no",
            evening_value.entry.board_count,
        ]
        for ladder_row in table.rows
        if has_full_names
        or all(has_public_page(players_by_pk[player_pk]) for player_pk in ladder_row.person_pks)
        for index, evening_value in enumerate(ladder_row.evening_values)
    ]
    sorted_rows = sorted(rows, key=lambda cells: (str(cells[2]), str(cells[0]), str(cells[1])))
    return DataTable(f"{ladder.name} values", LADDER_VALUE_COLUMNS, sorted_rows)


def _format_row_names(
    ladder_row: LadderRow, players_by_pk: Mapping[int, Player], *, has_full_names: bool
) -> str:
    row_players = [players_by_pk[player_pk] for player_pk in ladder_row.person_pks]
    player_names = sorted(
        player.name if has_full_names else player.shown_name for player in row_players
    )
    return (
        ladder_row.subject if isinstance(ladder_row.subject, str) else " & ".join(player_names)
    )


def _build_readme(club: Club, columns_by_file: Mapping[str, Iterable[str]]) -> bytes:
    readme_lines = [
        club.name,
        "",
        _("CSV as RFC 4180: UTF-8, commas, dates such as 2026-03-10."),
        _("Columns that end in _exact have exact fractions such as -5/2."),
        _("An apostrophe precedes text that a spreadsheet could read as a formula."),
        _("The .xlsx files have the same cells."),
        "",
        *(
            f"{file_name}: {', '.join(column_names)}"
            for file_name, column_names in columns_by_file.items()
        ),
    ]
    return ("\r\n".join(readme_lines) + "\r\n").encode("utf-8-sig")


State = ClubFile.State


def get_club_file_path(club_file: ClubFile) -> Path:
    """Return the path of a zip, in a folder that only the program's user can read."""
    folder = Path(settings.DATA_DIR) / "files"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{club_file.pk}.zip"


@transaction.atomic
def queue_club_file(
    *,
    club: Club,
    file_kind: str,
    season: Season | None = None,
    has_full_names: bool = False,
    by: Actor,
) -> ClubFile:
    """Queue the creation of a zip; return the queued one if an equal request is waiting."""
    # The lock makes the second request of a double click wait for the first one.
    Club.objects.select_for_update().get(pk=club.pk)
    _delete_expired_files()
    club_file_values = {
        "club": club,
        "kind": file_kind,
        "season": season,
        "in_full": has_full_names,
    }
    club_file = ClubFile.objects.filter(**club_file_values, state=State.WAITING).first()
    if club_file is None:
        club_file = ClubFile.objects.create(
            **club_file_values, by=audit.format_author_key(by), asked_at=timezone.now()
        )
        enqueue(CLUB_FILE_JOB, club_file.pk)
    return club_file


def create_club_file(pk: int) -> None:
    """Create a queued zip, or retry a failed one; do nothing if it is already done."""
    club_files = ClubFile.objects.select_related("club", "season__club")
    club_file = club_files.filter(pk=pk).exclude(state=State.DONE).first()
    if club_file is None:
        return
    ClubFile.objects.filter(pk=pk).update(state=State.WAITING, error="")
    if club_file.kind == ClubFile.Kind.SITE:
        files = iter_site_files(
            club_file.club,
            club_file.season,
            build_progress_writer(_get_progress_path(club_file)),
        )
    else:
        progress = build_progress_writer(_get_progress_path(club_file))
        files = iter_club_table_files(
            club_file.club,
            club_file.season,
            has_full_names=club_file.in_full,
            report_progress=progress,
        )
    file_count = write_zip(files, get_club_file_path(club_file))
    ClubFile.objects.filter(pk=pk).update(state=State.DONE, parts=file_count)
    _get_progress_path(club_file).unlink(missing_ok=True)


def read_zip_progress(club_file: ClubFile) -> int:
    """Return the progress of a zip in per cent, as last stored by the worker."""
    return read_percentage(_get_progress_path(club_file))


def _get_progress_path(club_file: ClubFile) -> Path:
    return get_club_file_path(club_file).with_suffix(".progress")


def _mark_file_failed(pk: int, error: str) -> None:
    for club_file in ClubFile.objects.filter(pk=pk, state=State.WAITING):
        ClubFile.objects.filter(pk=pk).update(state=State.FAILED, error=error)
        _get_progress_path(club_file).unlink(missing_ok=True)


def _list_waiting_file_pks() -> Iterable[int]:
    return list(ClubFile.objects.filter(state=State.WAITING).values_list("pk", flat=True))


def _delete_expired_files() -> None:
    for expired_file in ClubFile.objects.filter(asked_at__lt=timezone.now() - FILE_LIFETIME):
        get_club_file_path(expired_file).unlink(missing_ok=True)
        expired_file.delete()


CLUB_FILE_JOB = JobKind(
    "club_file",
    title=gettext_lazy("a club’s results files"),
    lane=Lane.LATER,
    time_limit=1800,
    run=create_club_file,
    find_missing_job_keys=_list_waiting_file_pks,
    on_failure=_mark_file_failed,
    find_club=build_club_finder(ClubFile.objects),
)
