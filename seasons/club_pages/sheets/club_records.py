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
    cache_key = (get_language(), *_build_cache_key(club, events))
    with _CACHE_LOCK:
        cached = _CACHE.get(club.pk)
    if cached is not None and cached[0] == cache_key:
        return list(cached[1])
    records = _compute_records(club, events)
    with _CACHE_LOCK:
        _CACHE[club.pk] = cache_key, records
        while len(_CACHE) > MAX_CACHED_CLUBS:
            del _CACHE[next(iter(_CACHE))]
    return list(records)


def _build_cache_key(club: Club, events: Mapping[int, Event]) -> tuple[object, ...]:
    seasons = list(club.seasons.all())
    subjects: list[Subject] = [club, *seasons, *events.values()]
    versions = Ranking.objects.filter(event__club=club).order_by("event")
    return (
        str(club.uid),
        tuple(versions.values_list("event", "version")),
        tuple((season.first_day, season.last_day, season.name) for season in seasons),
        tuple(sorted(read_versions(subject.audit_key for subject in subjects).items())),
    )


def _compute_records(club: Club, events: Mapping[int, Event]) -> list[ClubRecord]:
    ranked_entries = list(_load_ranked_entries(events))
    max_boards: dict[int, int] = defaultdict(int)
    for ranked_entry in ranked_entries:
        max_boards[ranked_entry.event.pk] = max(
            max_boards[ranked_entry.event.pk], ranked_entry.boards
        )
    full_entries = [
        ranked_entry
        for ranked_entry in ranked_entries
        if ranked_entry.boards == max_boards[ranked_entry.event.pk]
    ]
    people = _load_public_names(events)
    return [
        *_find_best_plus(full_entries),
        *_find_best_percent(full_entries),
        *_find_longest_run(ranked_entries, people),
        *_find_most_evenings(ranked_entries, people),
        *_find_most_in_a_season(club, ranked_entries, people),
        *_find_first_evening(events.values()),
    ]


def _load_ranked_entries(events: Mapping[int, Event]) -> Iterable[_RankedEntry]:
    rankings: dict[int, int] = {}
    weighted_boards: dict[int, Mapping[int, Fraction]] = {}
    versions = Ranking.objects.filter(event__in=events)
    for pk, key, version in versions.values_list("pk", "event", "version"):
        rankings[pk] = key
        weighted_boards[key] = load_counted_boards(events[key], version)
    rows = Standing.objects.filter(ranking__in=rankings, boards__gt=0).order_by()
    standing_rows = rows.values_list(
        *("ranking", "entry", "entry__number", "entry__name"),
        *("rank", "score", "percent", "boards"),
    )
    # Sort in Python: with ORDER BY date, the database may scan all standings.
    places = {pk: place for place, pk in enumerate(events)}  # by date, then by slug
    order = sorted(standing_rows, key=lambda row: (places[rankings[row[0]]], row[2]))
    for ranking, entry, number, name, rank, score, percent, boards in order:
        share = parse_exact(percent) if percent else None
        event = events[rankings[ranking]]
        own_boards = weighted_boards[event.pk].get(entry, Fraction(boards))
        yield _RankedEntry(
            event, entry, number, name, rank, parse_exact(score), share, boards, own_boards
        )


def _load_public_names(events: Mapping[int, Event]) -> dict[int, list[str]]:
    """Return the public names of each entry's people, by entry primary key."""
    names_by_entry: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events, player__shown=Player.Shown.NAME)
    for entry, name in rows.values_list("entry", "player__name"):
        names_by_entry[entry].append(name)
    return names_by_entry


def _find_best_plus(full_entries: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    in_tricks = [
        full_entry for full_entry in full_entries if not full_entry.event.is_scored_in_points
    ]
    plus = [
        in_trick for in_trick in in_tricks if find_method(in_trick.event).code in PLUS_METHODS
    ]
    if plus:
        best = max(
            plus, key=lambda ranked_entry: ranked_entry.a_board
        )  # of equal values, the earliest
        value_text = formatting.format_signed(best.a_board)
        yield _build_event_record(best, _("Best average per board"), value_text)


def _find_best_percent(full_entries: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    shares = [
        (full_entry.percent, full_entry)
        for full_entry in full_entries
        if full_entry.percent is not None
    ]
    if shares:
        percent, best = max(shares, key=lambda share_: share_[0])
        yield _build_event_record(
            best, _("Highest percentage"), formatting.format_percent(percent)
        )


def _build_event_record(ranked_entry: _RankedEntry, title: str, value_text: str) -> ClubRecord:
    event = ranked_entry.event
    return ClubRecord(
        title,
        value_text,
        ranked_entry.name,
        _format_event_and_day(event),
        event.slug,
        ranked_entry.number,
    )


def _find_longest_run(
    ranked_entries: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    """Yield the record of consecutive wins; evenings that the person missed are ignored."""
    runs: Counter[str] = Counter()
    best: tuple[int, str, _RankedEntry] | None = None
    for ranked_entry in ranked_entries:
        for name in people.get(ranked_entry.entry, ()):
            runs[name] = runs[name] + 1 if ranked_entry.rank == 1 else 0
            if runs[name] > (best[0] if best else 1):
                best = runs[name], name, ranked_entry
    if best is not None:
        count, name, last = best
        words = ngettext("%(count)d evening", "%(count)d evenings", count) % {"count": count}
        note = _("ended with %(evening)s") % {"evening": _format_event_and_day(last.event)}
        yield ClubRecord(
            _("Most wins in a row"), words, name, note, last.event.slug, last.number
        )


def _find_most_evenings(
    ranked_entries: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    counts = Counter(
        name for ranked_entry in ranked_entries for name in people.get(ranked_entry.entry, ())
    )
    yield from _find_highest_count(counts, _("Most evenings"), "")


def _find_most_in_a_season(
    club: Club, ranked_entries: Iterable[_RankedEntry], people: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    evenings_attended = [
        (ranked_entry.event.date, people.get(ranked_entry.entry, ()))
        for ranked_entry in ranked_entries
    ]
    best: list[ClubRecord] = []
    highest_count = 0
    for season in club.seasons.order_by("first_day"):
        days = (season.first_day, season.last_day)
        counts = Counter(
            name
            for day, names in evenings_attended
            if days[0] <= day <= days[1]
            for name in names
        )
        if counts and max(counts.values()) > highest_count:
            highest_count = max(counts.values())
            best = list(
                _find_highest_count(counts, _("Most evenings in a season"), season.name)
            )
    yield from best


def _find_highest_count(counts: Counter[str], title: str, note: str) -> Iterable[ClubRecord]:
    if counts:
        highest_count = max(counts.values())
        holders = sorted(name for name, count in counts.items() if count == highest_count)
        words = ngettext("%(count)d evening", "%(count)d evenings", highest_count) % {
            "count": highest_count
        }
        names_text = " · ".join(holders[:3]) + (" …" if len(holders) > 3 else "")
        yield ClubRecord(title, words, names_text, note)


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
