"""The records of a club: best results, longest runs of wins, and most evenings played.

Records are computed from the current standings, so a correction also changes the records.
Records have only public names, and include only events whose standings are public.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from threading import Lock

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.audit import AuditSubject
from clubs.models import Club, Player
from scoring.models import Ranking, Standing
from scoring.standings_engine.scores import find_scoring_method
from seasons.ladders.season_evenings import (
    PLUS_METHODS,
    load_weighted_board_counts,
    parse_exact_number,
)
from seasons.publishing.documents.writing import query_events_to_publish
from server import formatting
from server.dates import format_date
from server.public_versions import read_versions
from tournaments.models import EntryPlayer, Event


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record: its title, its value, its holder, and the event with a link."""

    title: str
    value_text: str
    holder_text: str
    note: str
    slug: str = ""  # the event's slug; "" if the record is based on many events
    entry_number: int = 0  # the entry's number; 0: link to the standings


MAX_CACHED_CLUBS = 20
"""The maximum number of clubs whose records a process caches."""
_CACHED_RECORDS_BY_CLUB: dict[int, tuple[tuple[object, ...], list["ClubRecord"]]] = {}
_CACHE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class _RankedEntry:
    event: Event
    entry_pk: int
    entry_number: int
    name: str
    rank: int
    score: Fraction
    percent: Fraction | None
    board_count: int
    weighted_board_count: Fraction  # boards, those of earlier sessions multiplied by carry-over

    @property
    def score_per_board(self) -> Fraction:
        """The score divided by the weighted number of boards."""
        return self.score / self.weighted_board_count


def load_club_records(club: Club) -> list[ClubRecord]:
    """Return the records of a club, cached until their sources change.

    Every change that can affect a record increments a version that is part of the cache key.
    The number of queries is fixed.
    """
    events_by_pk = {event.pk: event for event in query_events_to_publish(club)}
    cache_key = (get_language(), *_build_cache_key(club, events_by_pk))
    with _CACHE_LOCK:
        cached_records = _CACHED_RECORDS_BY_CLUB.get(club.pk)
    if cached_records is not None and cached_records[0] == cache_key:
        return list(cached_records[1])
    club_records = _compute_records(club, events_by_pk)
    with _CACHE_LOCK:
        _CACHED_RECORDS_BY_CLUB[club.pk] = cache_key, club_records
        while len(_CACHED_RECORDS_BY_CLUB) > MAX_CACHED_CLUBS:
            del _CACHED_RECORDS_BY_CLUB[next(iter(_CACHED_RECORDS_BY_CLUB))]
    return list(club_records)


def _build_cache_key(club: Club, events_by_pk: Mapping[int, Event]) -> tuple[object, ...]:
    seasons = list(club.seasons.all())
    audit_subjects: list[AuditSubject] = [club, *seasons, *events_by_pk.values()]
    rankings = Ranking.objects.filter(event__club=club).order_by("event")
    return (
        str(club.uid),
        tuple(rankings.values_list("event", "version")),
        tuple((season.first_day, season.last_day, season.name) for season in seasons),
        tuple(sorted(read_versions(subject.audit_key for subject in audit_subjects).items())),
    )


def _compute_records(club: Club, events_by_pk: Mapping[int, Event]) -> list[ClubRecord]:
    ranked_entries = list(_load_ranked_entries(events_by_pk))
    max_boards_by_event: dict[int, int] = defaultdict(int)
    for ranked_entry in ranked_entries:
        max_boards_by_event[ranked_entry.event.pk] = max(
            max_boards_by_event[ranked_entry.event.pk], ranked_entry.board_count
        )
    # Only entries that played every board of their event can hold a best result.
    complete_entries = [
        ranked_entry
        for ranked_entry in ranked_entries
        if ranked_entry.board_count == max_boards_by_event[ranked_entry.event.pk]
    ]
    names_by_entry = _load_public_names(events_by_pk)
    return [
        *_find_best_average_record(complete_entries),
        *_find_best_percent_record(complete_entries),
        *_find_longest_run_record(ranked_entries, names_by_entry),
        *_find_most_evenings_record(ranked_entries, names_by_entry),
        *_find_most_evenings_in_season_record(club, ranked_entries, names_by_entry),
        *_find_first_evening_record(events_by_pk.values()),
    ]


def _load_ranked_entries(events_by_pk: Mapping[int, Event]) -> Iterable[_RankedEntry]:
    event_pks_by_ranking: dict[int, int] = {}
    weighted_boards_by_event: dict[int, Mapping[int, Fraction]] = {}
    ranking_rows = Ranking.objects.filter(event__in=events_by_pk)
    for ranking_pk, event_pk, version in ranking_rows.values_list("pk", "event", "version"):
        event_pks_by_ranking[ranking_pk] = event_pk
        weighted_boards_by_event[event_pk] = load_weighted_board_counts(
            events_by_pk[event_pk], version
        )
    standings = Standing.objects.filter(
        ranking__in=event_pks_by_ranking, boards__gt=0
    ).order_by()
    standing_rows = standings.values_list(
        *("ranking", "entry", "entry__number", "entry__name"),
        *("rank", "score", "percent", "boards"),
    )
    # Sort in Python: with ORDER BY date, the database may scan all standings.
    # `events` are sorted by date, then by slug.
    index_by_event = {event_pk: index for index, event_pk in enumerate(events_by_pk)}
    sorted_rows = sorted(
        standing_rows, key=lambda row: (index_by_event[event_pks_by_ranking[row[0]]], row[2])
    )
    for (
        ranking_pk,
        entry_pk,
        entry_number,
        name,
        rank,
        score,
        percent,
        board_count,
    ) in sorted_rows:
        exact_percent = parse_exact_number(percent) if percent else None
        event = events_by_pk[event_pks_by_ranking[ranking_pk]]
        weighted_board_count = weighted_boards_by_event[event.pk].get(
            entry_pk, Fraction(board_count)
        )
        yield _RankedEntry(
            event,
            entry_pk,
            entry_number,
            name,
            rank,
            parse_exact_number(score),
            exact_percent,
            board_count,
            weighted_board_count,
        )


def _load_public_names(events_by_pk: Mapping[int, Event]) -> dict[int, list[str]]:
    """Return the public names of each entry's people, by entry primary key."""
    names_by_entry: dict[int, list[str]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(
        entry__event__in=events_by_pk, player__shown=Player.Shown.NAME
    )
    for entry_pk, name in entry_players.values_list("entry", "player__name"):
        names_by_entry[entry_pk].append(name)
    return names_by_entry


def _find_best_average_record(complete_entries: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    trick_scored_entries = [
        complete_entry
        for complete_entry in complete_entries
        if not complete_entry.event.is_scored_in_points
    ]
    plus_method_entries = [
        trick_scored_entry
        for trick_scored_entry in trick_scored_entries
        if find_scoring_method(trick_scored_entry.event).code in PLUS_METHODS
    ]
    if plus_method_entries:
        # Of several equal entries, `max` returns the first one, which is the earliest.
        best_entry = max(
            plus_method_entries, key=lambda ranked_entry: ranked_entry.score_per_board
        )
        value_text = formatting.format_signed(best_entry.score_per_board)
        yield _build_event_record(best_entry, _("Best average per board"), value_text)


def _find_best_percent_record(complete_entries: Iterable[_RankedEntry]) -> Iterable[ClubRecord]:
    percents_and_entries = [
        (complete_entry.percent, complete_entry)
        for complete_entry in complete_entries
        if complete_entry.percent is not None
    ]
    if percents_and_entries:
        percent, best_entry = max(
            percents_and_entries, key=lambda percent_and_entry: percent_and_entry[0]
        )
        yield _build_event_record(
            best_entry, _("Highest percentage"), formatting.format_percent(percent)
        )


def _build_event_record(ranked_entry: _RankedEntry, title: str, value_text: str) -> ClubRecord:
    event = ranked_entry.event
    return ClubRecord(
        title,
        value_text,
        ranked_entry.name,
        _format_event_and_day(event),
        event.slug,
        ranked_entry.entry_number,
    )


def _find_longest_run_record(
    ranked_entries: Iterable[_RankedEntry], names_by_entry: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    """Yield at most one record: the most wins in a row of one person.

    An evening that the person did not play does not end the run.
    """
    run_length_by_name: Counter[str] = Counter()
    best_run: tuple[int, str, _RankedEntry] | None = None  # length, name, last win
    for ranked_entry in ranked_entries:
        for name in names_by_entry.get(ranked_entry.entry_pk, ()):
            run_length_by_name[name] = (
                run_length_by_name[name] + 1 if ranked_entry.rank == 1 else 0
            )
            if run_length_by_name[name] > (best_run[0] if best_run else 1):
                best_run = run_length_by_name[name], name, ranked_entry
    if best_run is not None:
        run_length, name, last_winning_entry = best_run
        count_text = ngettext("%(count)d evening", "%(count)d evenings", run_length) % {
            "count": run_length
        }
        event_text = _("ended with %(evening)s") % {
            "evening": _format_event_and_day(last_winning_entry.event)
        }
        yield ClubRecord(
            _("Most wins in a row"),
            count_text,
            name,
            event_text,
            last_winning_entry.event.slug,
            last_winning_entry.entry_number,
        )


def _find_most_evenings_record(
    ranked_entries: Iterable[_RankedEntry], names_by_entry: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    evening_count_by_name = Counter(
        name
        for ranked_entry in ranked_entries
        for name in names_by_entry.get(ranked_entry.entry_pk, ())
    )
    yield from _find_highest_count_record(evening_count_by_name, _("Most evenings"), "")


def _find_most_evenings_in_season_record(
    club: Club, ranked_entries: Iterable[_RankedEntry], names_by_entry: Mapping[int, list[str]]
) -> Iterable[ClubRecord]:
    days_and_player_names = [
        (ranked_entry.event.date, names_by_entry.get(ranked_entry.entry_pk, ()))
        for ranked_entry in ranked_entries
    ]
    best_records: list[ClubRecord] = []
    highest_count = 0
    for season in club.seasons.order_by("first_day"):
        season_days = (season.first_day, season.last_day)
        evening_count_by_name = Counter(
            name
            for day, player_names in days_and_player_names
            if season_days[0] <= day <= season_days[1]
            for name in player_names
        )
        if evening_count_by_name and max(evening_count_by_name.values()) > highest_count:
            highest_count = max(evening_count_by_name.values())
            best_records = list(
                _find_highest_count_record(
                    evening_count_by_name, _("Most evenings in a season"), season.name
                )
            )
    yield from best_records


def _find_highest_count_record(
    evening_count_by_name: Counter[str], title: str, season_text: str
) -> Iterable[ClubRecord]:
    if evening_count_by_name:
        highest_count = max(evening_count_by_name.values())
        holder_names = sorted(
            name
            for name, evening_count in evening_count_by_name.items()
            if evening_count == highest_count
        )
        count_text = ngettext("%(count)d evening", "%(count)d evenings", highest_count) % {
            "count": highest_count
        }
        names_text = " · ".join(holder_names[:3]) + (" …" if len(holder_names) > 3 else "")
        yield ClubRecord(title, count_text, names_text, season_text)


def _find_first_evening_record(events: Iterable[Event]) -> Iterable[ClubRecord]:
    first_event = min(events, key=lambda event: (event.date, event.pk), default=None)
    if first_event is not None:
        yield ClubRecord(
            _("First evening"),
            _format_day(first_event.date),
            first_event.name,
            "",
            first_event.slug,
        )


def _format_event_and_day(event: Event) -> str:
    return f"{event.name}, {_format_day(event.date)}"


def _format_day(day: Date) -> str:
    return format_date(day, "DATE")
