"""Paginated lists of events, filtered by year and by words of the name."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest

from tournaments.models import Event, EventQuerySet
from tournaments.views.states import EventLine, ProgressState, build_event_line

PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class EventListPage:
    """One page of a list of events, with the links to the next and previous page."""

    events: tuple[EventLine, ...]
    event_count: int
    years: tuple[int, ...]
    year: str
    search_text: str
    page_number: int
    page_count: int
    newer_page_query: str = ""  # the query string of the previous page's URL, or ""
    older_page_query: str = ""
    is_filtered: bool = False

    @property
    def is_long(self) -> bool:
        """Whether the page shows a search box: the list exceeds a page, or was searched."""
        return self.is_filtered or self.page_count > 1 or len(self.years) > 1


def _get_in_play_sort_key(event_line: EventLine) -> bool:
    """Return a sort key that puts events in play first."""
    return event_line.state != ProgressState.OPEN


def _filter_by_words(events: EventQuerySet, search_text: str) -> EventQuerySet:
    """Return the events with these words in their name, ignoring case.

    SQLite ignores case only for ASCII letters. If the words have other letters, names are
    compared in Python.
    """
    if search_text.isascii():
        return events.filter(name__icontains=search_text)
    pks_and_names, folded_search = events.values_list("pk", "name"), search_text.casefold()
    return events.filter(
        pk__in=[pk for pk, name in pks_and_names if folded_search in name.casefold()]
    )


def build_listing(
    request: HttpRequest,
    events: EventQuerySet,
    build_line: Callable[[Event], EventLine] = build_event_line,
) -> EventListPage:
    """Return the page of events for a request, in four queries."""
    years = tuple(day.year for day in events.dates("date", "year", order="DESC"))
    year = request.GET.get("year", "")
    search_text = request.GET.get("q", "").strip()[:100]
    year = year if year in map(str, years) else ""
    filtered_events = events.filter(date__year=int(year)) if year else events
    if search_text:
        filtered_events = _filter_by_words(filtered_events, search_text)
    page = Paginator(filtered_events.with_sessions(), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    query_values = {
        parameter_name: parameter_value
        for parameter_name, parameter_value in request.GET.items()
        if parameter_name in ("club", "year", "q")
    }

    def build_query(page_number: int) -> str:
        return "?" + urlencode(query_values | {"page": page_number})

    return EventListPage(
        events=tuple(sorted(map(build_line, page), key=_get_in_play_sort_key)),
        event_count=page.paginator.count,
        years=years,
        year=year,
        search_text=search_text,
        page_number=page.number,
        page_count=page.paginator.num_pages,
        newer_page_query=build_query(page.number - 1) if page.has_previous() else "",
        older_page_query=build_query(page.number + 1) if page.has_next() else "",
        is_filtered=bool(year or search_text),
    )
