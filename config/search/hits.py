"""Search results, in groups of at most ten hits."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
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
from laws.single_table import BOOKS, search_book
from scoring.sheets.score_slips import format_score_page_query
from seasons.people.sheets.people import search_people
from server.navigation import Word
from tournaments.models import Event
from tournaments.movements import CATALOGUE
from tournaments.sheets.search import (
    find_events,
    find_last_board,
    find_movements,
    find_sessions_with_board,
    has_table,
)
from tournaments.visits import Visit

MAX_HITS = 10
"""The maximum number of hits shown in a group."""
_BOARD_PATTERN = re.compile(r"(?:b|board)?\s*(\d{1,3})")
_BOARD_IN_TEXT_PATTERN = re.compile(r"\b(?:b|board)\s*(\d{1,3})\b")
_TABLE_PATTERN = re.compile(r"(?:t|table)\s*(\d{1,3})")
_SECTION_TABLE_PATTERN = re.compile(r"(?:(?:t|table)\s*)?([a-z])\s*(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Hit:
    """A matching page, with its title, URL and subtitle."""

    title: Word
    url: str
    subtitle: Word = ""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The hits of one kind, with a title."""

    title: Word
    hits: tuple[Hit, ...]


def find_hits(
    query: str,
    *,
    visit: Visit | None = None,
    is_director: bool = False,
    with_congress: bool = True,
) -> list[HitGroup]:
    """Search everything; `visit` is the current event, and `is_director` adds directors' pages.

    Without `with_congress`, congress features are only found for an event that offers them.
    """
    words = split_search_words(query)
    if not words:
        return []
    normalised_query = " ".join(words)
    seats = list(_find_boards_and_tables(normalised_query, visit, is_director)) if visit else []
    if seats and not normalised_query.isdigit():  # "b12" can only be a board or a table
        return [HitGroup(_("This evening"), tuple(seats))]
    groups = (
        (_("This evening"), (*seats, *_find_entries(words, visit))),
        (_("Pages"), _find_pages(words, visit, with_congress) if is_director else ()),
        (_("People"), _find_people(words)),
        (_("Evenings"), _find_events(words, is_director)),
        (_("Boards"), () if seats else _find_boards(normalised_query)),
        (_("Laws"), _find_laws(query)),
        (_("Laws at single tables"), _find_incidents(query)),
        (_("Movements"), _find_movements(words, with_congress)),
        (_("Help"), _find_help(words)),
    )
    groups_with_hits = [HitGroup(title, tuple(hits)[:MAX_HITS]) for title, hits in groups]
    return [group for group in groups_with_hits if group.hits]


def _find_people(words: tuple[str, ...]) -> Iterator[Hit]:
    for player in search_people(words, MAX_HITS):
        yield Hit(player.name, reverse("player", args=[player.pk]))


def _find_events(words: tuple[str, ...], is_director: bool) -> Iterator[Hit]:
    page = "event_desk" if is_director else "event"
    for event in find_events(words, Event.objects.exclude_hidden(), MAX_HITS):
        day = date_format(event.date, "l j F Y")
        yield Hit(event.name, reverse(page, args=[event.slug]), day)


def _find_boards_and_tables(query: str, visit: Visit, is_director: bool) -> Iterator[Hit]:
    """Find a board of the current event by its number; for a director also a table."""
    board = _BOARD_PATTERN.fullmatch(query)
    if board and 1 <= int(board[1]) <= find_last_board(visit.session):
        number = int(board[1])
        title = _("Board %(number)s") % {"number": number}
        if is_director:
            place = format_score_page_query("board", f"board-{number}")
            url = reverse("scores", args=[visit.address]) + place
            yield Hit(title, url, _("scores"))
        else:
            yield Hit(title, reverse("traveller", args=[visit.address, number]))
    table = _TABLE_PATTERN.fullmatch(query)
    if table and is_director:
        title = _("Table %(number)s") % {"number": int(table[1])}
        yield Hit(title, reverse("room", args=[visit.address]), _("in the room"))
    lettered = _SECTION_TABLE_PATTERN.fullmatch(query)
    if lettered and is_director:
        letter, number = lettered[1].upper(), int(lettered[2])
        if has_table(visit.session, letter, number):  # "b12" may be a board and a table
            url = reverse("room_table", args=[visit.address, number])
            title = _("Table %(number)s") % {"number": f"{letter}{number}"}
            yield Hit(title, f"{url}?section={letter}", _("in the room"))


def _find_boards(query: str) -> Iterator[Hit]:
    """Find a board by its number in all events, or in those that match: "board 12 tuesday"."""
    board = _BOARD_IN_TEXT_PATTERN.search(query)
    if not board:
        return
    number = int(board[1])
    words = split_search_words(_BOARD_IN_TEXT_PATTERN.sub(" ", query, count=1))
    for session in find_sessions_with_board(
        number, words, Event.objects.exclude_hidden(), MAX_HITS
    ):
        day = date_format(session.day, "l j F Y")
        url = reverse("traveller", args=[Visit.to(session).address, number])
        yield Hit(
            _("Board %(number)s") % {"number": number}, url, f"{session.event.name}, {day}"
        )


def _find_entries(words: tuple[str, ...], visit: Visit | None) -> Iterator[Hit]:
    """Find entries of the current event."""
    if visit is None:
        return
    for entry in visit.event.entries.all():
        if rank_match(words, fold_name(entry.name)):
            yield Hit(entry.name, reverse("scorecard", args=[visit.address, entry.number]))


def _find_laws(query: str) -> Iterator[Hit]:
    if query.strip().isdigit():
        return  # a bare number is a board or a year, but "law 10" is a law
    matches, book = search_law_book(query), reverse("laws")
    for situation in matches.situations:
        yield Hit(str(situation.offence), f"{book}#{situation.code}", situation.code)
    for law in matches.laws:
        for section in law.sections:
            title = _("Law %(number)s, %(title)s") % {"number": law.number, "title": law.title}
            yield Hit(title, f"{book}#{section.key.replace('.', '-')}", f"§ {section.number}")


def _find_incidents(query: str) -> Iterator[Hit]:
    """Find incidents at a single table in each law book that covers them."""
    if query.strip().isdigit():
        return
    for book in BOOKS.values():
        page = reverse("law_book", args=[book.code])
        for _title, covered in search_book(book, query).moments:
            for incident in covered:
                happening = incident.incident
                yield Hit(str(happening.text), f"{page}#{happening.code}", str(book.short))


def _find_movements(words: tuple[str, ...], with_congress: bool) -> Iterator[Hit]:
    names = {id(system): name for name, system in CATALOGUE.items()}
    for system in find_movements(words, MAX_HITS):
        name = names[id(system)]
        if with_congress or name not in CONGRESS_MOVEMENTS:
            yield Hit(str(system.title), reverse("movement_schedule", args=[name]))


def _find_help(words: tuple[str, ...]) -> Iterator[Hit]:
    for page in _rank_pages(words, PUBLIC_PAGES):
        yield Hit(page.title, reverse(page.view) + (f"#{page.part}" if page.part else ""))


def _find_pages(
    words: tuple[str, ...], visit: Visit | None, with_congress: bool
) -> Iterator[Hit]:
    """Find a director's pages, including those of the current event."""
    if visit is not None:
        offers_congress = visit.event.offers_congress_features
        for page in _rank_pages(words, _list_shown(EVENT_PAGES, offers_congress)):
            yield Hit(page.title, reverse(page.view, args=[visit.address]), visit.event.name)
    for page in _rank_pages(words, _list_shown(CLUB_PAGES, with_congress)):
        yield Hit(page.title, reverse(page.view))


def _list_shown(pages: Iterable[SearchablePage], with_congress: bool) -> list[SearchablePage]:
    return [page for page in pages if with_congress or not page.is_congress]


def matches_congress_page(query: str) -> bool:
    """Return whether a search would find a page of a congress feature."""
    pages = [page for page in (*EVENT_PAGES, *CLUB_PAGES) if page.is_congress]
    words = split_search_words(query)
    return bool(words and _rank_pages(words, pages))


def _rank_pages(
    words: tuple[str, ...], pages: Iterable[SearchablePage]
) -> list[SearchablePage]:
    """Return the pages whose title or synonyms match all words, best match first."""
    rated_pages = [
        (-rank_match(words, fold_name(f"{page.title} {page.synonyms}")), number, page)
        for number, page in enumerate(pages)
    ]
    return [page for well, _number, page in sorted(rated_pages, key=lambda it: it[:2]) if well]
