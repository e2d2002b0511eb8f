"""The records of a club: best results, longest runs of wins, and most evenings played.

Records are computed from current standings, so that a correction changes them. They name only
people whose names are public. A record of an event is public if the standings of the event
are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from threading import Lock

from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.audit import Subject
from clubs.models import Club, Player
from scoring.models import Ranking, Standing
from scoring.standings_engine.scores import find_method
from seasons.ladders.season_evenings import PLUS_METHODS, load_counted_boards, parse_exact
from seasons.publishing.documents.writing import query_events_to_publish
from server import formatting
from server.public_versions import read_versions
from tournaments.models import EntryPlayer, Event


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record: its title, its value, its holder, and the event with a link."""

    title: str
    figure: str
    who: str
    note: str
    slug: str = ""  # the event's slug; "" if the record is based on many events
    number: int = 0  # the entry's number; 0: link to the standings


MAX_CACHED_CLUBS = 20
"""The maximum number of clubs whose records a process caches."""
_CACHE: dict[int, tuple[tuple[object, ...], list["ClubRecord"]]] = {}
_CACHE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class _RankedEntry:
    event: Event
    entry: int
    number: int
    name: str
    rank: int
    score: Fraction
    percent: Fraction | None
    boards: int
    counted: Fraction  # boards, weighted by carry-over

    @property
    def a_board(self) -> Fraction:
        """The score per board."""
        return self.score / self.counted


def load_club_records(club: Club) -> list[ClubRecord]:
    """Return the records of a club, cached until their sources change.

    Every change that can affect a record increments the version of the club, a season or an
    event, or that of the standings. The number of queries is fixed.
    """
    events = {event.pk: event for event in query_events_to_publish(club)}
    at = (get_language(), *_cache_key(club, events))
    with _CACHE_LOCK:
        found = _CACHE.get(club.pk)
    if found is not None and found[0] == at:
        return list(found[1])
    made = _compute_records(club, events)
    with _CACHE_LOCK:
        _CACHE[club.pk] = at, made
        while len(_CACHE) > MAX_CACHED_CLUBS:
            del _CACHE[next(iter(_CACHE))]
    return list(made)


def _cache_key(club: Club, events: Mapping[int, Event]) -> tuple[object, ...]:
    seasons = list(club.seasons.all())
    things: list[Subject] = [club, *seasons, *events.values()]
    versions = Ranking.objects.filter(event__club=club).order_by("event")
    return (
        str(club.uid),
        tuple(versions.values_list("event", "version")),
        tuple((each.first_day, each.last_day, each.name) for each in seasons),
        tuple(sorted(read_versions(each.audit_key for each in things).items())),
    )


def _compute_records(club: Club, events: Mapping[int, Event]) -> list[ClubRecord]:
    placed = list(_load_ranked_entries(events))
    most: dict[int, int] = defaultdict(int)
    for each in placed:
        most[each.event.pk] = max(most[each.event.pk], each.boards)
    whole = [each for each in placed if each.boards == most[each.event.pk]]
    people = _load_public_names(events)
    return [
        *_find_best_plus(whole),
        *_find_best_percent(whole),
        *_find_longest_run(placed, people),
        *_find_most_evenings(placed, people),
        *_find_most_in_a_season(club, placed, people),
        *_find_first_evening(events.values()),
    ]


def _load_ranked_entries(events: Mapping[int, Event]) -> Iterable[_RankedEntry]:
    rankings: dict[int, int] = {}
    counted: dict[int, Mapping[int, Fraction]] = {}
    versions = Ranking.objects.filter(event__in=events)
    for pk, key, version in versions.values_list("pk", "event", "version"):
        rankings[pk] = key
        counted[key] = load_counted_boards(events[key], version)
    rows = Standing.objects.filter(ranking__in=rankings, boards__gt=0).order_by()
    found = rows.values_list(
        *("ranking", "entry", "entry__number", "entry__name"),
        *("rank", "score", "percent", "boards"),
    )
    # Sort in Python: with ORDER BY date, the database may scan all standings.
    places = {pk: place for place, pk in enumerate(events)}  # by date, then by slug
    order = sorted(found, key=lambda row: (places[rankings[row[0]]], row[2]))
    for ranking, entry, number, name, rank, score, percent, boards in order:
        share = parse_exact(percent) if percent else None
        event = events[rankings[ranking]]
        own = counted[event.pk].get(entry, Fraction(boards))
        yield _RankedEntry(
            event, entry, number, name, rank, parse_exact(score), share, boards, own
        )


def _load_public_names(events: Mapping[int, Event]) -> dict[int, list[str]]:
    """Return the public names of each entry's people, by entry primary key."""
    found: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events, player__shown=Player.Shown.NAME)
    for entry, name in rows.values_list("entry", "player__name"):
        found[entry].append(name)
    return found


def _find_best_plus(whole: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    in_tricks = [each for each in whole if not each.event.counts_points]
    plus = [each for each in in_tricks if find_method(each.event).code in PLUS_METHODS]
    if plus:
        best = max(plus, key=lambda it: it.a_board)  # of equal values, the earliest
        figure = formatting.format_signed(best.a_board)
        yield _build_event_record(best, _("Best average per board"), figure)


def _find_best_percent(whole: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    shares = [(each.percent, each) for each in whole if each.percent is not None]
    if shares:
        percent, best = max(shares, key=lambda it: it[0])
        yield _build_event_record(
            best, _("Highest percentage"), formatting.format_percent(percent)
        )


def _build_event_record(placed: _RankedEntry, title: str, figure: str) -> ClubRecord:
    event = placed.event
    return ClubRecord(
        title, figure, placed.name, _format_event_and_day(event), event.slug, placed.number
    )


def _find_longest_run(
    placed: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    """Yield the record of consecutive wins; evenings that the person missed are ignored."""
    runs: Counter[str] = Counter()
    best: tuple[int, str, _RankedEntry] | None = None
    for each in placed:
        for name in people.get(each.entry, ()):
            runs[name] = runs[name] + 1 if each.rank == 1 else 0
            if runs[name] > (best[0] if best else 1):
                best = runs[name], name, each
    if best is not None:
        count, name, last = best
        words = ngettext("%(count)d evening", "%(count)d evenings", count) % {"count": count}
        note = _("ended with %(evening)s") % {"evening": _format_event_and_day(last.event)}
        yield ClubRecord(
            _("Most wins in a row"), words, name, note, last.event.slug, last.number
        )


def _find_most_evenings(
    placed: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    counts = Counter(name for each in placed for name in people.get(each.entry, ()))
    yield from _find_highest_count(counts, _("Most evenings"), "")


def _find_most_in_a_season(
    club: Club, placed: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    came = [(each.event.date, people.get(each.entry, ())) for each in placed]
    best: list[ClubRecord] = []
    most = 0
    for season in club.seasons.order_by("first_day"):
        days = (season.first_day, season.last_day)
        counts = Counter(
            name for day, names in came if days[0] <= day <= days[1] for name in names
        )
        if counts and max(counts.values()) > most:
            most = max(counts.values())
            best = list(
                _find_highest_count(counts, _("Most evenings in a season"), season.name)
            )
    yield from best


def _find_highest_count(counts: Counter[str], title: str, note: str) -> Iterable[ClubRecord]:
    if counts:
        most = max(counts.values())
        who = sorted(name for name, count in counts.items() if count == most)
        words = ngettext("%(count)d evening", "%(count)d evenings", most) % {"count": most}
        shown = " · ".join(who[:3]) + (" …" if len(who) > 3 else "")
        yield ClubRecord(title, words, shown, note)


def _find_first_evening(events: Iterable[Event]) -> Iterable[ClubRecord]:
    first = min(events, key=lambda event: (event.date, event.pk), default=None)
    if first is not None:
        yield ClubRecord(
            _("First evening"), _format_day(first.date), first.name, "", first.slug
        )


def _format_event_and_day(event: Event) -> str:
    return f"{event.name}, {_format_day(event.date)}"


def _format_day(day: Date) -> str:
    return date_format(day, "j F Y")
