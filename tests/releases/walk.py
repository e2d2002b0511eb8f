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
from clubs.models import Club, Fixture, Logo, Series
from drives.models import Drive
from exchange.formats import formats_by_name
from laws.single_table import BOOKS
from rubbers.models import RubberNight
from seasons.ladders.models import EntryHandicap, Ladder, Season, SeasonHandicap, Trophy
from seasons.publishing.models import Received
from tests.rooms import ROOMS
from tournaments.addresses import format_address
from tournaments.models import Event, Sitting
from tournaments.movements import CATALOGUE

GAP = re.compile(r"<(?:(\w+):)?(\w+)>")
A_LINK = "a link"
PATTERN = re.compile(r"\(\?P<|[\^$]")


@dataclass(frozen=True)
class Page:
    """One URL, and the route that it fills."""

    route: str
    path: str


def pages() -> list[Page]:
    """Return every URL that can be filled in."""
    events = _events()
    found = [Page(route, path) for route in routes() for path in _filled(route, events)]
    return found + [Page(A_LINK, path) for path in links()]


def pages_of(wanted: re.Pattern[str]) -> list[Page]:
    """Return the URLs of the matching routes."""
    chosen, events = [route for route in routes() if wanted.search(route)], _events()
    return [Page(route, path) for route in chosen for path in _filled(route, events)]


def routes() -> list[str]:
    """Return every route of the site once, without Django's own regular expressions."""
    return sorted({route for route in _routes(get_resolver().url_patterns, "") if route})


def links() -> list[str]:
    """Return one valid secret link of each kind: of tables, pairs, helpers."""
    rows = [row for model in models() if hasattr(model, "token_hash") for row in _all(model)]
    found = {type(row): row.path for row in rows if row.revoked_at is None}
    return sorted(path for path in found.values() if path)


def models() -> list[type[Model]]:
    """Return every model of our apps."""
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


def _routes(patterns: Sequence[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield "" if PATTERN.search(route) else route


def _filled(route: str, events: Sequence[tuple[Event, int]]) -> list[str]:
    if "events/<" not in route:
        return [f"/{path}" for path in _rest(route, None)]
    slug = r"<\w+:slug>"
    found = [
        f"/{path}"
        for event, place in events
        for path in _rest(re.sub(slug, _address(route, event, place), route, count=1), event)
    ]
    return list(dict.fromkeys(found))


def _address(route: str, event: Event, session: int) -> str:
    return format_address(event.slug, session) if "<event:slug>" in route else event.slug


def _events() -> list[tuple[Event, int]]:
    """Return every event with each of its sessions."""
    return [
        (event, session.number)
        for event in Event.objects.order_by("pk").prefetch_related("sessions")
        for session in event.sessions.all()
    ]


def _rest(route: str, event: Event | None) -> list[str]:
    """Fill the remaining parameters; return nothing if one has no row."""
    parts = GAP.split(route)
    texts, names = parts[::3], parts[2::3]
    chosen = [_values(text, name, event)[:1] for text, name in zip(texts, names, strict=False)]
    if not all(chosen):
        return []
    filled = [str(value) for [value] in chosen]
    return ["".join(part for pair in zip(texts, [*filled, ""], strict=True) for part in pair)]


def _values(before: str, name: str, event: Event | None) -> Sequence[object]:
    """Return the values for a parameter, by the word before it and its own name."""
    word = f"{before.rstrip('/').rpartition('/')[2]}/{name}"
    if word in OF_AN_EVENT and event is not None:
        return OF_AN_EVENT[word](event)
    if word.endswith("/object_id") and word not in ANYWHERE:  # admin/<app>/<model>/
        return _keys(word.partition("/")[0])
    return ANYWHERE[word]()


def _keys(*names: str) -> list[object]:
    """Return the primary keys of some models, by the models' names, from any app."""
    wanted = {each.lower() for each in names}
    found = [model for model in apps.get_models() if model.__name__.lower() in wanted]
    assert found, names
    return [row.pk for model in found for row in _all(model)]


def _all(model: type[Model]) -> list[Model]:
    return list(model._base_manager.order_by("pk"))


def _numbers(event: Event) -> list[int]:
    return list(event.entries.order_by("number").values_list("number", flat=True))


def _slugs(model: type[Model]) -> list[str]:
    return list(model._base_manager.order_by("pk").values_list("slug", flat=True))


def _boards(_event: Event | None = None) -> list[int]:
    return [1, 2]


def _tokens(page: str) -> list[str]:
    """Return the tokens of one kind of secret link."""
    return [path.split("/")[2] for path in links() if path.startswith(f"/{page}/")]


def _tables(event: Event) -> list[int]:
    rows = Sitting.objects.filter(section__session__event=event).order_by("table")
    return list(rows.values_list("table", flat=True)[:1])


OF_AN_EVENT: dict[str, Callable[[Event], Sequence[object]]] = {
    "boards/number": _boards,
    "cards/entry": _numbers,
    "entries/number": _numbers,
    "links/number": _numbers,
    "sessions/number": lambda event: [each.number for each in event.sessions.all()],
    "standings/number": lambda event: [
        each.number for each in event.standings_versions.order_by("number")
    ],
    "tables/table": _tables,
    "travellers/board": _boards,
}
ANYWHERE: dict[str, Callable[[], Sequence[object]]] = {
    "b/token": lambda: _tokens("b"),
    "start/token": lambda: [],  # a link of the running program, used once
    "calendar/fixture": lambda: [each.uid for each in Fixture.objects.order_by("pk")],
    "calendar/series": lambda: _slugs(Series),
    "series/slug": lambda: _slugs(Series),
    "/board": _boards,
    "boards/board": _boards,
    "/object_id": lambda: _keys("Event"),
    "/pk": lambda: _keys("Act"),
    "/seat": lambda: ["N", "W"],
    "boards./kind": lambda: list(formats_by_name()),
    "acts/pk": lambda: _keys("Act"),
    "challenges/pk": lambda: _keys("EntryLink"),
    "change/pk": lambda: _keys("SeatingChange"),
    "d/token": lambda: _tokens("d"),
    "players/number": lambda: [1],
    "bracket/round": lambda: [1],
    "/match": lambda: [1],
    "rounds/round": lambda: [2],
    "prizes/number": lambda: [1],
    "rounds/number": lambda: [1],
    "tables/table": lambda: [1],
    "totals/number": lambda: [1],
    "rests/year": lambda: [2026],
    "hands/number": lambda: [1],
    "hands/spell": lambda: [1],
    "members/number": lambda: [1],
    "rubbers/slug": lambda: list(RubberNight.objects.values_list("slug", flat=True)),
    "spells/spell": lambda: [1],
    "drives/slug": lambda: list(Drive.objects.order_by("pk").values_list("slug", flat=True)),
    "e/token": lambda: _tokens("e"),
    "/ladder": lambda: _slugs(Ladder),
    "clubs/club": lambda: _slugs(Club),
    "/key": lambda: list(EntryHandicap.objects.values_list("entry__event__slug", flat=True)),
    "handicaps/key": lambda: list(
        EntryHandicap.objects.values_list("entry__event__slug", flat=True)
    ),
    "handicaps/season": lambda: list(
        SeasonHandicap.objects.values_list("season__slug", flat=True)
    ),
    "ladders/ladder": lambda: _slugs(Ladder),
    "published/uid": lambda: [row.uid for row in Received.objects.order_by("pk")],
    "seasons/season": lambda: _slugs(Season),
    "seasons/slug": lambda: _slugs(Season),
    "clubs/slug": lambda: list(Club.objects.order_by("pk").values_list("slug", flat=True)),
    "entries/pk": lambda: _keys("ResultVersion"),
    "grade/event": lambda: _slugs(Event),
    "people/player": lambda: _keys("Player")[1:],
    "history/pk": lambda: _keys("Act"),
    "history/slug": lambda: list(Club.objects.order_by("pk").values_list("slug", flat=True)),
    "laws/code": lambda: list(BOOKS),
    "laws/size": lambda: ["A4", "Letter"],
    "etiquette/size": lambda: ["A4", "Letter"],
    "/size": lambda: ["A4", "Letter"],
    "links/pk": lambda: _keys("TableLink"),
    "logos/mark": lambda: list(Logo.objects.values_list("club__logo_mark", flat=True)),
    "booking/fixture": lambda: [each.uid for each in Fixture.objects.order_by("pk")],
    "me/token": lambda: _tokens("me"),
    "movements/name": lambda: list(CATALOGUE),
    "papers/pk": lambda: _keys("Paper"),
    "passkeys/pk": lambda: [1],
    "players/pk": lambda: _keys("Player")[1:],  # the first is shown only by initials
    "plays/pk": lambda: _keys("PlayRecord"),
    "reset/uidb64": lambda: ["MQ"],
    "/token": lambda: ["set-password"],
    "r/content_type_id": lambda: [ContentType.objects.get_for_model(Event).pk],
    "results/board": _boards,
    "rulings/pk": lambda: _keys("Ruling"),
    "sittings/pk": lambda: _keys("Sitting"),
    "t/token": lambda: _tokens("t"),
    "tables/pk": lambda: _keys("TableLink"),
    "type/token": lambda: _tokens("type"),
    "files/pk": lambda: _keys("ClubFile"),
    "mail/pk": lambda: _keys("ResultsMail"),
    "off/token": lambda: [],  # signed, and of a person who gets e-mails
    "sent/slug": lambda: _slugs(Received),
    "sent/drives/slug": lambda: [],
    "/page": lambda: ["index.html"],
    "trophies/trophy": lambda: _slugs(Trophy),
    "worked-hands/name": lambda: list(read_worked_hands()),
}
