"""Generation of a club's whole static site; only one evening is in memory at a time."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date as Date
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone

from clubs.models import Club, Logo, Player
from clubs.name_folding import fold_name
from scoring.sheets.short_names import shorten_to_surnames
from seasons.calendar.sheets.calendar import build_calendar_file, list_calendar_events
from seasons.ladders.models import Season
from seasons.ladders.sheets.honours import load_honours
from seasons.publishing.documents.values import (
    PublishedDrive,
    PublishedEvent,
    PublishedLadder,
    PublishedLadderRow,
    PublishedSeason,
    read_published_document,
)
from seasons.publishing.documents.writing import (
    PublishableActivity,
    build_drive_document,
    build_event_document,
    build_season_document,
    list_activities_to_publish,
    query_events_to_publish,
)
from seasons.publishing.feed import MAX_WINNERS, build_feed, list_news
from seasons.publishing.files import make_file_names
from seasons.publishing.site.pages import (
    PageFrame,
    build_scorecard_file_name,
    render_drive_page,
    render_evening_pages,
)
from server import formatting
from server.jobs.progress_files import ProgressCallback, ignore_progress
from tournaments.models import Event

FileNameAndContent = tuple[str, bytes]
MAX_LATEST_EVENINGS = 8
CALENDAR_FILE_NAME = "calendar.ics"
FONT_URL_PATTERN = re.compile(r'url\("\.\./(fonts/[\w-]+\.woff2)"\)')


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """One evening in the site's list of all evenings."""

    name: str
    day: Date
    href: str
    winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonEvening:
    """One evening on a person's page of the site."""

    evening: ArchiveLine
    card_path: str
    entry_name: str
    rank_text: str
    ranked_count: int


@dataclass(frozen=True, slots=True)
class PersonLadder:
    """A person's row in a ladder, on the person's page of the site."""

    season_name: str
    href: str
    ladder: PublishedLadder
    ladder_row: PublishedLadderRow
    total_format: formatting.ColumnFormat


def iter_site_files(
    club: Club,
    season_filter: Season | None = None,
    report_progress: ProgressCallback = ignore_progress,
) -> Iterator[FileNameAndContent]:
    """Yield (path, content) of each file of a club's site, or of one season's site."""
    timezone.activate(club.zone)
    seasons = list(club.seasons.all()) if season_filter is None else [season_filter]
    events = list(query_events_to_publish(club, season_filter))
    activities = list_activities_to_publish(club, season_filter)
    folder_by_slug = make_file_names(event.slug for event in events)
    file_name_by_person = _choose_person_file_names(events)
    page_frame = _build_page_frame(club, file_name_by_person)
    yield from _iter_style_files(club)
    evenings_by_person: dict[str, list[PersonEvening]] = defaultdict(list)
    archive_lines: list[ArchiveLine] = []
    for done_count, event in enumerate(events):
        report_progress(done_count, len(events))
        folder = f"evenings/{folder_by_slug[event.slug]}/"
        published_event = _load_published_event(event)
        archive_lines.append(
            ArchiveLine(
                published_event.name,
                published_event.day,
                f"{folder}index.html",
                _list_winners(published_event),
            )
        )
        for page_name, html in render_evening_pages(
            published_event, replace(page_frame, root="../../")
        ):
            yield f"{folder}{page_name}", html.encode()
        _add_person_evenings(
            evenings_by_person, published_event, archive_lines[-1], folder, file_name_by_person
        )
    yield from _render_drives(activities, page_frame, archive_lines)
    archive_lines.sort(key=lambda line: (line.day, line.href))
    ladders_by_person: dict[str, list[PersonLadder]] = defaultdict(list)
    yield from _render_seasons(seasons, page_frame, ladders_by_person)
    yield from _render_people_pages(
        evenings_by_person, ladders_by_person, page_frame, file_name_by_person
    )
    yield from _render_front_page(club, page_frame, archive_lines, seasons)
    yield "feed.xml", _render_feed(club, folder_by_slug, season_filter)
    yield from _iter_calendar_files(club)
    report_progress(len(events), len(events))


def iter_event_files(event: Event) -> Iterator[FileNameAndContent]:
    """Yield the pages of one evening, and the style sheet."""
    timezone.activate(event.club.zone)
    published_event = _load_published_event(event)
    page_frame = replace(_build_page_frame(event.club, {}), is_standalone=True)
    yield from _iter_style_files(event.club)
    for page_name, html in render_evening_pages(published_event, page_frame):
        yield page_name, html.encode()


def _load_published_event(event: Event) -> PublishedEvent:
    """Return the public data of an event, parsed from its document.

    A server parses received documents in the same way.
    """
    published_event = read_published_document(build_event_document(event))
    assert isinstance(published_event, PublishedEvent)
    return published_event


def _build_page_frame(club: Club, file_name_by_person: Mapping[str, str]) -> PageFrame:
    path_by_person = {
        name: f"people/{file_name}.html" for name, file_name in file_name_by_person.items()
    }
    return PageFrame(
        club_name=club.name,
        accent=club.accent,
        has_logo=bool(club.logo_mark),
        is_standalone=False,
        path_by_person_name=path_by_person,
    )


def _iter_style_files(club: Club) -> Iterator[FileNameAndContent]:
    """Yield the style sheet, the fonts that it uses, and the club's logo if there is one."""
    style_sheet = _read_static_file("css/site.css")
    yield "css/site.css", style_sheet
    for font_path in sorted(set(FONT_URL_PATTERN.findall(style_sheet.decode()))):
        yield font_path, _read_static_file(font_path)
    if club.logo_mark:
        yield "img/logo.png", bytes(Logo.objects.get(club=club).image)


def _read_static_file(file_path: str) -> bytes:
    static_path = finders.find(file_path)
    assert isinstance(static_path, str), file_path
    return Path(static_path).read_bytes()


def _choose_person_file_names(events: list[Event]) -> dict[str, str]:
    """Return the file name of each person's page, by the person's name.

    Only people who are shown by name and have played have a page.
    """
    players_with_results = Player.objects.filter(
        shown=Player.Shown.NAME, entry_memberships__entry__event__in=events
    )
    player_names = players_with_results.order_by().distinct().values_list("name", flat=True)
    return make_file_names(sorted(player_names, key=lambda name: (fold_name(name), name)))


def _list_winners(event: PublishedEvent) -> tuple[str, ...]:
    rank_rows = [rank_row for ranked_group in event.fields for rank_row in ranked_group.rows]
    winners = [
        rank_row.name for rank_row in rank_rows if rank_row.rank == 1 and rank_row.boards
    ]
    return tuple(shorten_to_surnames(winners).values()) if len(winners) <= MAX_WINNERS else ()


def _add_person_evenings(
    evenings_by_person: dict[str, list[PersonEvening]],
    event: PublishedEvent,
    archive_line: ArchiveLine,
    folder: str,
    file_name_by_person: Mapping[str, str],
) -> None:
    """Add an evening to the pages of the people who played in it."""
    row_and_count_by_entry = {
        rank_row.entry: (rank_row, len(ranked_group.rows))
        for ranked_group in event.fields
        for rank_row in ranked_group.rows
    }
    for entry in event.entries:
        rank_row, ranked_count = row_and_count_by_entry.get(entry.number, (None, 0))
        rank_text = (
            formatting.format_rank(rank_row.rank, is_tied=rank_row.tied)
            if rank_row and rank_row.boards
            else ""
        )
        card_path = f"{folder}{build_scorecard_file_name(entry.number)}"
        for person in entry.people:
            if person.named and person.name in file_name_by_person:
                evenings_by_person[person.name].append(
                    PersonEvening(archive_line, card_path, entry.name, rank_text, ranked_count)
                )


def _render_seasons(
    seasons: list[Season],
    page_frame: PageFrame,
    ladders_by_person: dict[str, list[PersonLadder]],
) -> Iterator[FileNameAndContent]:
    """Yield the seasons' pages, and append each person's ladder rows to `ladders_by_person`."""
    for file_name, season in zip(
        make_file_names(season.slug for season in seasons).values(), seasons, strict=True
    ):
        published_season = read_published_document(build_season_document(season))
        assert isinstance(published_season, PublishedSeason)
        page_path = f"seasons/{file_name}.html"
        for ladder, total_format in _list_ladders_with_formats(published_season):
            for ladder_row in ladder.places:
                for person_name in ladder_row.who if ladder_row.named else ():
                    ladders_by_person[person_name].append(
                        PersonLadder(
                            published_season.name, page_path, ladder, ladder_row, total_format
                        )
                    )
        yield (
            page_path,
            render_season_page(published_season, replace(page_frame, root="../")).encode(),
        )


def _render_drives(
    activities: list[PublishableActivity],
    page_frame: PageFrame,
    archive_lines: list[ArchiveLine],
) -> Iterator[FileNameAndContent]:
    """Yield the pages of drives and rubber nights, and add a line for each to the archive."""
    file_name_by_uid = make_file_names(str(activity.uid) for activity in activities)
    for activity in activities:
        published_drive = read_published_document(build_drive_document(activity))
        assert isinstance(published_drive, PublishedDrive)
        page_path = f"drives/{file_name_by_uid[str(activity.uid)]}.html"
        winners = [
            drive_place.name for drive_place in published_drive.places if drive_place.rank == 1
        ]
        shown_winners = tuple(winners) if len(winners) <= MAX_WINNERS else ()
        archive_lines.append(
            ArchiveLine(published_drive.name, published_drive.day, page_path, shown_winners)
        )
        yield (
            page_path,
            render_drive_page(published_drive, replace(page_frame, root="../")).encode(),
        )


def _iter_calendar_files(club: Club) -> Iterator[FileNameAndContent]:
    """Yield the club's calendar file.

    Its evenings have no links, because the URL of the exported site is unknown.
    """
    if list_calendar_events(club, ""):
        yield CALENDAR_FILE_NAME, build_calendar_file(club, "")


def render_season_page(season: PublishedSeason, page_frame: PageFrame) -> str:
    """Render the page of a season with all rows of its ladders."""
    context = {
        "around_site": page_frame,
        **page_frame.extra_context,
        "season": season,
        "ladders": _list_ladders_with_formats(season),
    }
    return render_to_string("seasons/site/season.html", context)


def _list_ladders_with_formats(
    season: PublishedSeason,
) -> list[tuple[PublishedLadder, formatting.ColumnFormat]]:
    """Return the ladders of a season, each with the format of its totals."""
    return [
        (
            ladder,
            formatting.choose_column_format(
                (ladder_row.total for ladder_row in ladder.places), has_sign=ladder.signed
            ),
        )
        for ladder in season.ladders
    ]


def _render_people_pages(
    evenings_by_person: Mapping[str, list[PersonEvening]],
    ladders_by_person: Mapping[str, list[PersonLadder]],
    page_frame: PageFrame,
    file_name_by_person: Mapping[str, str],
) -> Iterator[FileNameAndContent]:
    context = {"around_site": page_frame, "people": list(file_name_by_person.items())}
    yield "people.html", render_to_string("seasons/site/people.html", context).encode()
    person_page_frame = replace(page_frame, root="../")
    for person_name, file_name in file_name_by_person.items():
        evenings = list(reversed(evenings_by_person.get(person_name, [])))
        ladders = ladders_by_person.get(person_name, [])
        context = {
            "around_site": person_page_frame,
            "name": person_name,
            "evenings": evenings,
            "ladders": ladders,
        }
        html = render_to_string("seasons/site/person.html", context)
        yield f"people/{file_name}.html", html.encode()


def _render_front_page(
    club: Club,
    page_frame: PageFrame,
    archive_lines: list[ArchiveLine],
    seasons: list[Season],
) -> Iterator[FileNameAndContent]:
    honours_board = load_honours(club)
    if honours_board.trophies:
        page_context = {"around_site": page_frame, "honours": honours_board}
        yield (
            "honours.html",
            render_to_string("seasons/site/honours.html", page_context).encode(),
        )
    file_name_by_slug = make_file_names(season.slug for season in seasons)
    newest_archive_lines = list(reversed(archive_lines))
    context = {
        "around_site": page_frame,
        "club": club,
        "latest": newest_archive_lines[:MAX_LATEST_EVENINGS],
        "has_honours": bool(honours_board.trophies),
        "calendar": CALENDAR_FILE_NAME if list_calendar_events(club, "") else "",
        "seasons": [
            (season, f"seasons/{file_name_by_slug[season.slug]}.html") for season in seasons
        ],
    }
    yield "index.html", render_to_string("seasons/site/front.html", context).encode()
    lines_by_year: dict[int, list[ArchiveLine]] = defaultdict(list)
    for archive_line in newest_archive_lines:
        lines_by_year[archive_line.day.year].append(archive_line)
    context = {"around_site": page_frame, "years": list(lines_by_year.items())}
    yield "evenings.html", render_to_string("seasons/site/archive.html", context).encode()


def _render_feed(
    club: Club, folder_by_slug: Mapping[str, str], season_filter: Season | None
) -> bytes:
    seasons = [season_filter] if season_filter else list(club.seasons.all())
    file_name_by_slug = make_file_names(season.slug for season in seasons)
    news = list_news(
        club,
        lambda event: f"evenings/{folder_by_slug[event.slug]}/index.html",
        lambda season: f"seasons/{file_name_by_slug[season.slug]}.html",
        season_filter,
    )
    return build_feed(
        feed_uid=str(club.uid),
        title=club.name,
        feed_url="feed.xml",
        page_url="index.html",
        items=news,
    )
