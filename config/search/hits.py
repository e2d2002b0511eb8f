"""The results of a search, in groups of at most ten."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.name_folding import fold_name, rank_match, split_search_words
from config.search.pages import HELP, OF_AN_EVENING, OF_THE_CLUB, Page
from laws.book import search_law_book
from laws.single_table import BOOKS, search_book
from scoring.sheets.score_slips import format_slip_query
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
"""Maximum hits shown of a group."""
_BOARD = re.compile(r"(?:b|board)?\s*(\d{1,3})")
_BOARD_AMONG = re.compile(r"\b(?:b|board)\s*(\d{1,3})\b")
_TABLE = re.compile(r"(?:t|table)\s*(\d{1,3})")
_TABLE_OF_SECTION = re.compile(r"(?:(?:t|table)\s*)?([a-z])\s*(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that matches, with its title and a subtitle."""

    words: Word
    url: str
    under: Word = ""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """Hits of one kind."""

    title: Word
    hits: tuple[Hit, ...]


def search_for(
    query: str, *, visit: Visit | None = None, directs: bool = False
) -> list[HitGroup]:
    """Search everything; `visit` is the current evening, `directs` adds directors' pages."""
    words = split_search_words(query)
    if not words:
        return []
    typed = " ".join(words)
    seats = list(_boards_and_tables(typed, visit, directs)) if visit else []
    if seats and not typed.isdigit():  # "b12" is a board or a table, nothing else
        return [HitGroup(_("This evening"), tuple(seats))]
    groups = (
        (_("This evening"), (*seats, *_entries(words, visit))),
        (_("Pages"), _pages(words, visit) if directs else ()),
        (_("People"), _people(words)),
        (_("Evenings"), _evenings(words, directs)),
        (_("Boards"), () if seats else _boards_of_evenings(typed)),
        (_("Laws"), _laws(query)),
        (_("Laws at single tables"), _law_books(query)),
        (_("Movements"), _movements(words)),
        (_("Help"), _help(words)),
    )
    found = [HitGroup(title, tuple(hits)[:MAX_HITS]) for title, hits in groups]
    return [group for group in found if group.hits]


def _people(words: tuple[str, ...]) -> Iterator[Hit]:
    for each in search_people(words, MAX_HITS):
        yield Hit(each.name, reverse("player", args=[each.pk]))


def _evenings(words: tuple[str, ...], directs: bool) -> Iterator[Hit]:
    page = "event_desk" if directs else "event"
    for each in find_events(words, Event.objects.exclude_hidden(), MAX_HITS):
        day = date_format(each.date, "l j F Y")
        yield Hit(each.name, reverse(page, args=[each.slug]), day)


def _boards_and_tables(typed: str, visit: Visit, directs: bool) -> Iterator[Hit]:
    """Find a board by its number; for a director also a table."""
    board = _BOARD.fullmatch(typed)
    if board and 1 <= int(board[1]) <= find_last_board(visit.session):
        number = int(board[1])
        title = _("Board %(number)s") % {"number": number}
        if directs:
            place = format_slip_query("board", f"board-{number}")
            url = reverse("scores", args=[visit.address]) + place
            yield Hit(title, url, _("its scores"))
        else:
            yield Hit(title, reverse("traveller", args=[visit.address, number]))
    table = _TABLE.fullmatch(typed)
    if table and directs:
        title = _("Table %(number)s") % {"number": int(table[1])}
        yield Hit(title, reverse("room", args=[visit.address]), _("in the room"))
    lettered = _TABLE_OF_SECTION.fullmatch(typed)
    if lettered and directs:
        letter, number = lettered[1].upper(), int(lettered[2])
        if has_table(visit.session, letter, number):  # "b12" may be a board and a table
            url = reverse("room_table", args=[visit.address, number])
            title = _("Table %(number)s") % {"number": f"{letter}{number}"}
            yield Hit(title, f"{url}?section={letter}", _("in the room"))


def _boards_of_evenings(typed: str) -> Iterator[Hit]:
    """Find a board by number in all evenings, or in those that match: "board 12 tuesday"."""
    board = _BOARD_AMONG.search(typed)
    if not board:
        return
    number = int(board[1])
    words = split_search_words(_BOARD_AMONG.sub(" ", typed, count=1))
    for each in find_sessions_with_board(
        number, words, Event.objects.exclude_hidden(), MAX_HITS
    ):
        day = date_format(each.day, "l j F Y")
        url = reverse("traveller", args=[Visit.to(each).address, number])
        yield Hit(_("Board %(number)s") % {"number": number}, url, f"{each.event.name}, {day}")


def _entries(words: tuple[str, ...], visit: Visit | None) -> Iterator[Hit]:
    """Find entries of the current evening."""
    if visit is None:
        return
    for entry in visit.event.entries.all():
        if rank_match(words, fold_name(entry.name)):
            yield Hit(entry.name, reverse("scorecard", args=[visit.address, entry.number]))


def _laws(query: str) -> Iterator[Hit]:
    if query.strip().isdigit():
        return  # a number is a board or a year; "law 10" is a law
    found, book = search_law_book(query), reverse("laws")
    for situation in found.situations:
        yield Hit(str(situation.offence), f"{book}#{situation.code}", situation.code)
    for law in found.laws:
        for section in law.sections:
            title = _("Law %(number)s, %(title)s") % {"number": law.number, "title": law.title}
            yield Hit(title, f"{book}#{section.key.replace('.', '-')}", f"§ {section.number}")


def _law_books(query: str) -> Iterator[Hit]:
    """Find incidents at a single table, in each law book that covers them."""
    if query.strip().isdigit():
        return
    for book in BOOKS.values():
        page = reverse("law_book", args=[book.code])
        for _title, covered in search_book(book, query).moments:
            for each in covered:
                happening = each.incident
                yield Hit(str(happening.text), f"{page}#{happening.code}", str(book.short))


def _movements(words: tuple[str, ...]) -> Iterator[Hit]:
    names = {id(system): name for name, system in CATALOGUE.items()}
    for system in find_movements(words, MAX_HITS):
        yield Hit(str(system.title), reverse("movement_schedule", args=[names[id(system)]]))


def _help(words: tuple[str, ...]) -> Iterator[Hit]:
    for page in _fitting(words, HELP):
        yield Hit(page.title, reverse(page.view) + (f"#{page.part}" if page.part else ""))


def _pages(words: tuple[str, ...], visit: Visit | None) -> Iterator[Hit]:
    """Find a director's pages, including those of the current evening."""
    if visit is not None:
        for page in _fitting(words, OF_AN_EVENING):
            yield Hit(page.title, reverse(page.view, args=[visit.address]), visit.event.name)
    for page in _fitting(words, OF_THE_CLUB):
        yield Hit(page.title, reverse(page.view))


def _fitting(words: tuple[str, ...], pages: Iterable[Page]) -> list[Page]:
    """Return the pages whose title or other words match all words, best match first."""
    found = [
        (-rank_match(words, fold_name(f"{page.title} {page.also}")), number, page)
        for number, page in enumerate(pages)
    ]
    return [page for well, _number, page in sorted(found, key=lambda it: it[:2]) if well]
