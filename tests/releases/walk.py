"""Every URL of the site, filled in from the rows of a database.

A route of an event is filled in for each session of each event; any other parameter once. The
path before a parameter determines its value: `boards/<number>` is a board, `players/<pk>` a
player. A parameter that this module does not know is an error, so that no route is silently
left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver

from boards.worked_hands import read_worked_hands
from clubs import audit
from clubs.models import Club, Fixture, Logo, Series
from drives.models import Drive
from exchange.formats import map_formats_by_name
from laws.single_table import LAW_BOOKS_BY_CODE
from rubbers.models import RubberNight
from seasons.ladders.models import EntryHandicap, Ladder, Season, SeasonHandicap, Trophy
from seasons.publishing.models import Received
from tests.rooms import ROOMS
from tournaments.addresses import format_event_address
from tournaments.models import Event, Sitting
from tournaments.movements import SYSTEMS_BY_NAME

PATH_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
LINK_ROUTE = "a link"
REGEX_ROUTE_PATTERN = re.compile(r"\(\?P<|[\^$]")


@dataclass(frozen=True)
class Page:
    """One URL, and the route that it fills."""

    route: str
    path: str


def list_pages() -> list[Page]:
    """Return every URL that can be filled in."""
    events = list_events_and_sessions()
    pages = [Page(route, path) for route in list_routes() for path in fill_route(route, events)]
    return pages + [Page(LINK_ROUTE, path) for path in list_links()]


def list_matching_pages(route_pattern: re.Pattern[str]) -> list[Page]:
    """Return the URLs of the matching routes."""
    routes, events = (
        [route for route in list_routes() if route_pattern.search(route)],
        list_events_and_sessions(),
    )
    return [Page(route, path) for route in routes for path in fill_route(route, events)]


def list_routes() -> list[str]:
    """Return every route of the site once, without Django's own regular expressions."""
    return sorted(
        {route for route in list_routes_below(get_resolver().url_patterns, "") if route}
    )


def list_links() -> list[str]:
    """Return one valid secret link of each kind: of tables, pairs, helpers."""
    rows = [
        row
        for model in list_models()
        if hasattr(model, "token_hash")
        for row in list_rows(model)
    ]
    actual = {type(row): row.path for row in rows if row.revoked_at is None}
    return sorted(path for path in actual.values() if path)


def list_models() -> list[type[Model]]:
    """Return every model of our apps."""
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


def list_routes_below(
    url_patterns: Sequence[URLPattern | URLResolver], prefix: str
) -> Iterator[str]:
    for pattern in url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes_below(pattern.url_patterns, route)
        else:
            yield "" if REGEX_ROUTE_PATTERN.search(route) else route


def fill_route(route: str, events: Sequence[tuple[Event, int]]) -> list[str]:
    if "events/<" not in route:
        return [f"/{path}" for path in fill_remaining_parameters(route, None)]
    slug = r"<\w+:slug>"
    paths = [
        f"/{path}"
        for event, place in events
        for path in fill_remaining_parameters(
            re.sub(slug, format_event_argument(route, event, place), route, count=1), event
        )
    ]
    return list(dict.fromkeys(paths))


def format_event_argument(route: str, event: Event, session: int) -> str:
    return format_event_address(event.slug, session) if "<event:slug>" in route else event.slug


def list_events_and_sessions() -> list[tuple[Event, int]]:
    """Return every event with each of its sessions."""
    return [
        (event, session.number)
        for event in Event.objects.order_by("pk").prefetch_related("sessions")
        for session in event.sessions.all()
    ]


def fill_remaining_parameters(route: str, event: Event | None) -> list[str]:
    """Fill the remaining parameters; return nothing if one has no row."""
    route_parts = PATH_PARAMETER.split(route)
    texts, names = route_parts[::3], route_parts[2::3]
    values = [
        list_values(preceding_text, name, event)[:1]
        for preceding_text, name in zip(texts, names, strict=False)
    ]
    if not all(values):
        return []
    parameter_values = [str(value) for [value] in values]
    return [
        "".join(
            part for pair in zip(texts, [*parameter_values, ""], strict=True) for part in pair
        )
    ]


def list_values(preceding_text: str, name: str, event: Event | None) -> Sequence[object]:
    """Return the values for a parameter, by the word before it and its own name."""
    word = f"{preceding_text.rstrip('/').rpartition('/')[2]}/{name}"
    if word in EVENT_VALUES_BY_PARAMETER and event is not None:
        return EVENT_VALUES_BY_PARAMETER[word](event)
    if word.endswith("/object_id") and word not in VALUES_BY_PARAMETER:  # admin/<app>/<model>/
        return list_keys(word.partition("/")[0])
    return VALUES_BY_PARAMETER[word]()


def list_keys(*names: str) -> list[object]:
    """Return the primary keys of some models, by the models' names, from any app."""
    expected = {name.lower() for name in names}
    models = [model for model in apps.get_models() if model.__name__.lower() in expected]
    assert models, names
    return [row.pk for model in models for row in list_rows(model)]


def list_rows(model: type[Model]) -> list[Model]:
    return list(model._base_manager.order_by("pk"))


def list_entry_numbers(event: Event) -> list[int]:
    return list(event.entries.order_by("number").values_list("number", flat=True))


def list_slugs(model: type[Model]) -> list[str]:
    return list(model._base_manager.order_by("pk").values_list("slug", flat=True))


def list_boards(_event: Event | None = None) -> list[int]:
    return [1, 2]


def list_tokens(page: str) -> list[str]:
    """Return the tokens of one kind of secret link."""
    return [path.split("/")[2] for path in list_links() if path.startswith(f"/{page}/")]


def list_tables(event: Event) -> list[int]:
    rows = Sitting.objects.filter(section__session__event=event).order_by("table")
    return list(rows.values_list("table", flat=True)[:1])


EVENT_VALUES_BY_PARAMETER: dict[str, Callable[[Event], Sequence[object]]] = {
    "boards/board_number": list_boards,
    "cards/entry": list_entry_numbers,
    "entries/number": list_entry_numbers,
    "entries/entry_number": list_entry_numbers,
    "history/pk": lambda event: list(audit.list_acts(event).values_list("pk", flat=True)),
    "links/number": list_entry_numbers,
    "sessions/number": lambda event: [session.number for session in event.sessions.all()],
    "standings/number": lambda event: [
        standings_version.number
        for standings_version in event.standings_versions.order_by("number")
    ],
    "tables/table": list_tables,
    "travellers/board": list_boards,
}
VALUES_BY_PARAMETER: dict[str, Callable[[], Sequence[object]]] = {
    "b/token": lambda: list_tokens("b"),
    "start/token": lambda: [],  # a link of the running program, used once
    "calendar/fixture": lambda: [fixture.uid for fixture in Fixture.objects.order_by("pk")],
    "calendar/series": lambda: list_slugs(Series),
    "series/slug": lambda: list_slugs(Series),
    "/board": list_boards,
    "boards/board": list_boards,
    "/object_id": lambda: list_keys("Event"),
    "/pk": lambda: list_keys("Act"),
    "/seat": lambda: ["N", "W"],
    "boards./format_name": lambda: list(map_formats_by_name()),
    "boards./kind": lambda: list(map_formats_by_name()),
    "acts/pk": lambda: list_keys("Act"),
    "challenges/pk": lambda: list_keys("EntryLink"),
    "change/pk": lambda: list_keys("SeatingChange"),
    "d/token": lambda: list_tokens("d"),
    "players/number": lambda: [1],
    "bracket/round": lambda: [1],
    "/match": lambda: [1],
    "rounds/round": lambda: [2],
    "prizes/number": lambda: [1],
    "rounds/number": lambda: [1],
    "tables/table": lambda: [1],
    "points/number": lambda: [1],
    "totals/number": lambda: [1],
    "rests/year": lambda: [2026],
    "hands/number": lambda: [1],
    "hands/spell": lambda: [1],
    "members/number": lambda: [1],
    "rubbers/slug": lambda: list(RubberNight.objects.values_list("slug", flat=True)),
    "spells/spell": lambda: [1],
    "drives/slug": lambda: list(Drive.objects.order_by("pk").values_list("slug", flat=True)),
    "e/token": lambda: list_tokens("e"),
    "/ladder": lambda: list_slugs(Ladder),
    "clubs/club": lambda: list_slugs(Club),
    "/key": lambda: list(EntryHandicap.objects.values_list("entry__event__slug", flat=True)),
    "handicaps/key": lambda: list(
        EntryHandicap.objects.values_list("entry__event__slug", flat=True)
    ),
    "handicaps/season": lambda: list(
        SeasonHandicap.objects.values_list("season__slug", flat=True)
    ),
    "ladders/ladder": lambda: list_slugs(Ladder),
    "published/uid": lambda: [row.uid for row in Received.objects.order_by("pk")],
    "seasons/season": lambda: list_slugs(Season),
    "seasons/slug": lambda: list_slugs(Season),
    "clubs/slug": lambda: list(Club.objects.order_by("pk").values_list("slug", flat=True)),
    "entries/pk": lambda: list_keys("ResultVersion"),
    "grade/event": lambda: list_slugs(Event),
    "people/player": lambda: list_keys("Player")[1:],
    "history/pk": lambda: list_keys("Act"),
    "history/slug": lambda: list(Club.objects.order_by("pk").values_list("slug", flat=True)),
    "laws/code": lambda: list(LAW_BOOKS_BY_CODE),
    "laws/size": lambda: ["A4", "Letter"],
    "etiquette/size": lambda: ["A4", "Letter"],
    "/size": lambda: ["A4", "Letter"],
    "links/pk": lambda: list_keys("TableLink"),
    "logos/mark": lambda: list(Logo.objects.values_list("club__logo_mark", flat=True)),
    "booking/fixture": lambda: [fixture.uid for fixture in Fixture.objects.order_by("pk")],
    "me/token": lambda: list_tokens("me"),
    "movements/name": lambda: list(SYSTEMS_BY_NAME),
    "papers/pk": lambda: list_keys("Paper"),
    "passkeys/pk": lambda: [1],
    "players/pk": lambda: list_keys("Player")[1:],  # the first is shown only by initials
    "plays/pk": lambda: list_keys("PlayRecord"),
    "reset/uidb64": lambda: ["MQ"],
    "/token": lambda: ["set-password"],
    "r/content_type_id": lambda: [ContentType.objects.get_for_model(Event).pk],
    "results/board": list_boards,
    "rulings/pk": lambda: list_keys("Ruling"),
    "sittings/pk": lambda: list_keys("Sitting"),
    "t/token": lambda: list_tokens("t"),
    "tables/pk": lambda: list_keys("TableLink"),
    "type/token": lambda: list_tokens("type"),
    "files/pk": lambda: list_keys("ClubFile"),
    "mail/pk": lambda: list_keys("ResultsMail"),
    "off/token": lambda: [],  # signed, and of a person who gets e-mails
    "sent/slug": lambda: list_slugs(Received),
    "sent/drives/slug": lambda: [],
    "/page": lambda: ["index.html"],
    "trophies/trophy": lambda: list_slugs(Trophy),
    "worked-hands/name": lambda: list(read_worked_hands()),
}
