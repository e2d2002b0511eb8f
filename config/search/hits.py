"""Search results, in groups of at most ten hits."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.name_folding import fold_name, rank_match, split_search_words
from config.search.pages import (
    CLUB_PAGES,
    CONGRESS_MOVEMENTS,
    EVENT_PAGES,
    PUBLIC_PAGES,
    SearchablePage,
)
from laws.book import search_law_book
from laws.single_table import LAW_BOOKS_BY_CODE, search_book
from scoring.sheets.score_slips import format_score_page_query
from seasons.people.sheets.people import search_people
from server.dates import format_date
from server.navigation import LabelText
from tournaments.event_access import EventAccess
from tournaments.models import Event
from tournaments.movements import SYSTEMS_BY_NAME
from tournaments.sheets.search import (
    find_events,
    find_last_board,
    find_movements,
    find_sessions_with_board,
    has_table,
)

MAX_HITS = 10
"""The maximum number of hits shown in a group."""
_BOARD_PATTERN = re.compile(r"(?:b|board)?\s*(\d{1,3})")
_BOARD_IN_TEXT_PATTERN = re.compile(r"\b(?:b|board)\s*(\d{1,3})\b")
_TABLE_PATTERN = re.compile(r"(?:t|table)\s*(\d{1,3})")
_SECTION_TABLE_PATTERN = re.compile(r"(?:(?:t|table)\s*)?([a-z])\s*(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Hit:
    """A matching page, with its title, URL and subtitle."""

    title: LabelText
    url: str
    subtitle: LabelText = ""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The hits of one kind, with a title."""

    title: LabelText
    hits: tuple[Hit, ...]


def find_hits(
    query: str,
    *,
    access: EventAccess | None = None,
    is_director: bool = False,
    should_include_congress_pages: bool = True,
) -> list[HitGroup]:
    """Search people, events, boards, laws and pages; return the groups that have hits.

    `access` is the event in which the user searches, or None. `is_director` adds directors'
    pages. If `should_include_congress_pages` is false, pages about features for congresses are
    found only for an event that uses these features.
    """
    search_words = split_search_words(query)
    if not search_words:
        return []
    normalised_query = " ".join(search_words)
    board_and_table_hits = (
        list(_find_boards_and_tables(normalised_query, access, is_director)) if access else []
    )
    # Text such as "b12" can only mean a board or a table, so other groups are not searched.
    if board_and_table_hits and not normalised_query.isdigit():
        return [HitGroup(_("This evening"), tuple(board_and_table_hits))]
    hits_with_titles = (
        (_("This evening"), (*board_and_table_hits, *_find_entries(search_words, access))),
        (
            _("Pages"),
            _find_pages(search_words, access, should_include_congress_pages)
            if is_director
            else (),
        ),
        (_("People"), _find_people(search_words)),
        (_("Evenings"), _find_events(search_words, is_director)),
        (_("Boards"), () if board_and_table_hits else _find_boards(normalised_query)),
        (_("Laws"), _find_laws(query)),
        (_("Laws at single tables"), _find_incidents(query)),
        (_("Movements"), _find_movements(search_words, should_include_congress_pages)),
        (_("Help"), _find_help_pages(search_words)),
    )
    groups_with_hits = [
        HitGroup(title, tuple(hits)[:MAX_HITS]) for title, hits in hits_with_titles
    ]
    return [hit_group for hit_group in groups_with_hits if hit_group.hits]


def _find_people(search_words: tuple[str, ...]) -> Iterator[Hit]:
    for player in search_people(search_words, MAX_HITS):
        yield Hit(player.name, reverse("player", args=[player.pk]))


def _find_events(search_words: tuple[str, ...], is_director: bool) -> Iterator[Hit]:
    url_name = "event_desk" if is_director else "event"
    for event in find_events(search_words, Event.objects.exclude_hidden(), MAX_HITS):
        date_text = format_date(event.date, "WEEKDAY_DATE")
        yield Hit(event.name, reverse(url_name, args=[event.slug]), date_text)


def _find_boards_and_tables(
    query: str, access: EventAccess, is_director: bool
) -> Iterator[Hit]:
    """Yield the board with this number in the current event; for directors also the table."""
    board_match = _BOARD_PATTERN.fullmatch(query)
    if board_match and 1 <= int(board_match[1]) <= find_last_board(access.session):
        board_number = int(board_match[1])
        title = _("Board %(number)s") % {"number": board_number}
        if is_director:
            score_page_query = format_score_page_query("board", f"board-{board_number}")
            url = reverse("scores", args=[access.address]) + score_page_query
            yield Hit(title, url, _("scores"))
        else:
            yield Hit(title, reverse("traveller", args=[access.address, board_number]))
    table_match = _TABLE_PATTERN.fullmatch(query)
    if table_match and is_director:
        title = _("Table %(number)s") % {"number": int(table_match[1])}
        yield Hit(title, reverse("room", args=[access.address]), _("in the room"))
    section_table_match = _SECTION_TABLE_PATTERN.fullmatch(query)
    if section_table_match and is_director:
        section_letter, table_number = (
            section_table_match[1].upper(),
            int(section_table_match[2]),
        )
        # "b12" gives two hits if there are both a board 12 and a table 12 in section B.
        if has_table(access.session, section_letter, table_number):
            url = reverse("room_table", args=[access.address, table_number])
            title = _("Table %(number)s") % {"number": f"{section_letter}{table_number}"}
            yield Hit(title, f"{url}?section={section_letter}", _("in the room"))


def _find_boards(query: str) -> Iterator[Hit]:
    """Find a board by its number; "board 12 tuesday" finds it only in events like "tuesday"."""
    board_match = _BOARD_IN_TEXT_PATTERN.search(query)
    if not board_match:
        return
    board_number = int(board_match[1])
    search_words = split_search_words(_BOARD_IN_TEXT_PATTERN.sub(" ", query, count=1))
    for session in find_sessions_with_board(
        board_number, search_words, Event.objects.exclude_hidden(), MAX_HITS
    ):
        date_text = format_date(session.day, "WEEKDAY_DATE")
        url = reverse(
            "traveller", args=[EventAccess.for_session(session).address, board_number]
        )
        yield Hit(
            _("Board %(number)s") % {"number": board_number},
            url,
            f"{session.event.name}, {date_text}",
        )


def _find_entries(search_words: tuple[str, ...], access: EventAccess | None) -> Iterator[Hit]:
    """Find entries of the current event."""
    if access is None:
        return
    for entry in access.event.entries.all():
        if rank_match(search_words, fold_name(entry.name)):
            yield Hit(entry.name, reverse("scorecard", args=[access.address, entry.number]))


def _find_laws(query: str) -> Iterator[Hit]:
    if query.strip().isdigit():
        return  # "10" alone means a board or a year; users type "law 10" to find a law
    matches, book_url = search_law_book(query), reverse("laws")
    for situation in matches.situations:
        yield Hit(str(situation.offence), f"{book_url}#{situation.code}", situation.code)
    for law in matches.laws:
        for section in law.sections:
            title = _("Law %(number)s, %(title)s") % {"number": law.number, "title": law.title}
            yield Hit(
                title, f"{book_url}#{section.key.replace('.', '-')}", f"§ {section.number}"
            )


def _find_incidents(query: str) -> Iterator[Hit]:
    """Find incidents, e.g. a revoke, in each law book for play without duplicate boards."""
    if query.strip().isdigit():
        return
    for book in LAW_BOOKS_BY_CODE.values():
        book_url = reverse("law_book", args=[book.code])
        for _title, book_incidents in search_book(book, query).moments:
            for book_incident in book_incidents:
                incident = book_incident.incident
                yield Hit(
                    str(incident.text), f"{book_url}#{incident.code}", str(book.short_title)
                )


def _find_movements(
    search_words: tuple[str, ...], should_include_congress_movements: bool
) -> Iterator[Hit]:
    name_by_object_id = {
        id(movement_system): name for name, movement_system in SYSTEMS_BY_NAME.items()
    }
    for movement_system in find_movements(search_words, MAX_HITS):
        name = name_by_object_id[id(movement_system)]
        if should_include_congress_movements or name not in CONGRESS_MOVEMENTS:
            yield Hit(str(movement_system.title), reverse("movement_schedule", args=[name]))


def _find_help_pages(search_words: tuple[str, ...]) -> Iterator[Hit]:
    for page in _rank_pages(search_words, PUBLIC_PAGES):
        yield Hit(
            page.title, reverse(page.url_name) + (f"#{page.anchor}" if page.anchor else "")
        )


def _find_pages(
    search_words: tuple[str, ...],
    access: EventAccess | None,
    should_include_congress_pages: bool,
) -> Iterator[Hit]:
    """Find directors' pages by title or synonym; the pages of the current event come first."""
    if access is not None:
        offers_congress = access.event.should_offer_congress_features
        for page in _rank_pages(search_words, _filter_pages(EVENT_PAGES, offers_congress)):
            yield Hit(
                page.title, reverse(page.url_name, args=[access.address]), access.event.name
            )
    for page in _rank_pages(
        search_words, _filter_pages(CLUB_PAGES, should_include_congress_pages)
    ):
        yield Hit(page.title, reverse(page.url_name))


def _filter_pages(
    pages: Iterable[SearchablePage], should_include_congress_pages: bool
) -> list[SearchablePage]:
    return [
        page
        for page in pages
        if should_include_congress_pages or not page.requires_congress_features
    ]


def matches_congress_page(query: str) -> bool:
    """Return whether a search would find a page of a congress feature."""
    pages = [page for page in (*EVENT_PAGES, *CLUB_PAGES) if page.requires_congress_features]
    search_words = split_search_words(query)
    return bool(search_words and _rank_pages(search_words, pages))


def _rank_pages(
    search_words: tuple[str, ...], pages: Iterable[SearchablePage]
) -> list[SearchablePage]:
    """Return the pages whose title or synonyms match all words, best match first."""
    rated_pages = [
        (
            -rank_match(search_words, fold_name(f"{page.title} {page.synonyms}")),
            page_index,
            page,
        )
        for page_index, page in enumerate(pages)
    ]
    return [
        page
        for match_rank, _index, page in sorted(
            rated_pages, key=lambda rated_page: rated_page[:2]
        )
        if match_rank
    ]
