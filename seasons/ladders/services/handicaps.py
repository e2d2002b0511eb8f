"""The services for the handicaps of a season.

The services change the terms, set a person's handicap, and store the handicaps of entries when
play opens.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Player
from seasons.ladders.errors import HandicapRefused, InvalidSettingsError
from seasons.ladders.models import EntryHandicap, HandicapByHand, Season, SeasonHandicap
from seasons.ladders.rules.handicaps import (
    HANDICAP_CONTESTS,
    HandicapTerms,
    read_terms,
    serialize_terms,
)
from seasons.ladders.rules.rule import read_rule
from seasons.ladders.season_tables import load_handicap_input, load_season_terms
from server.json_reader.problems import can_be_printed
from server.json_reader.values import parse_fraction
from server.public_versions import bump_version
from tournaments.models import Entry, EntryPlayer, Event, Session

MAX_HANDICAP = Fraction(100)
StoredHandicapRows = Sequence[Sequence[Any]]
"""Stored handicaps in the action history: pairs of an entry's key and a fraction."""


@transaction.atomic
def set_season_handicap(
    *,
    season: Season,
    terms: Mapping[str, Any] | None,
    kept: StoredHandicapRows | None = None,
    by: Actor,
) -> SeasonHandicap | None:
    """Set the handicap terms of a season; None removes them.

    Stored handicaps of opened events stay valid, unless the unit changes between tricks and per
    cent. In that case the handicaps are deleted and computed again. An undo passes the
    handicaps to restore in `kept`.

    Raises HandicapRefused if the terms are invalid, or make a ladder of the season invalid. It
    is also raised if the unit changes while the director has set handicaps.
    """
    # The lock makes the second request of a double click wait for the first one.
    season = Season.objects.select_for_update().get(pk=season.pk)
    season_handicap = SeasonHandicap.objects.filter(season=season).first()
    old_terms = season_handicap.terms if season_handicap else None
    parsed_terms = None if terms is None else _read_valid_terms(terms)
    _check_ladders_valid(season, parsed_terms)
    new_terms = None if parsed_terms is None else serialize_terms(parsed_terms)
    if old_terms == new_terms:
        return season_handicap
    undo_arguments: dict[str, Any] = {"terms": old_terms}
    if kept is not None or _has_unit_changed(season, season_handicap, parsed_terms):
        if season.by_hand.exists():
            raise HandicapRefused(
                _("Remove the handicaps set by hand first. They use the other unit.")
            )
        undo_arguments["kept"] = _replace_stored_handicaps(season, kept or ())
    if new_terms is None:
        SeasonHandicap.objects.filter(season=season).delete()
        season_handicap = None
    else:
        season_handicap, _is_created = SeasonHandicap.objects.update_or_create(
            season=season, defaults={"terms": new_terms}
        )
    audit.record(
        by,
        "handicap.settled",
        subject=season,
        before={"terms": old_terms},
        after={"terms": new_terms},
        undo=Undo(("season",), "handicap.settle", undo_arguments),
    )
    return season_handicap


def _has_unit_changed(
    season: Season, season_handicap: SeasonHandicap | None, new_terms: HandicapTerms | None
) -> bool:
    """Return whether the new terms have another unit than the season's stored handicaps.

    If the season has no terms now, its last terms are read from the action history.
    """
    if new_terms is None:
        return False
    if season_handicap is not None:
        return _read_valid_terms(season_handicap.terms).figure != new_terms.figure
    acts = audit.list_acts(season).filter(action="handicap.settled", undoes=None)
    last_act = acts.filter(undone_by=None).first()
    old_terms = last_act.before["terms"] if last_act else None
    return old_terms is not None and _read_valid_terms(old_terms).figure != new_terms.figure


def _replace_stored_handicaps(
    season: Season, new_rows: StoredHandicapRows
) -> StoredHandicapRows:
    """Replace all stored handicaps of a season, and return the previous ones."""
    entry_handicaps = EntryHandicap.objects.filter(season=season)
    previous_rows = [
        list(row) for row in entry_handicaps.order_by("entry").values_list("entry", "a_board")
    ]
    entry_handicaps.delete()
    entry_pks = [entry_pk for entry_pk, _a_board in (*previous_rows, *new_rows)]
    existing_entries = Entry.objects.filter(pk__in=entry_pks)
    _store_handicap_rows(season, existing_entries, new_rows)
    for event in Event.objects.filter(entries__in=existing_entries).distinct():
        bump_version(event.audit_key)
    return previous_rows


def _store_handicap_rows(
    season: Season, entries: QuerySet[Entry], rows: StoredHandicapRows
) -> None:
    """Store the handicaps of the given entries; handicaps of deleted entries are ignored."""
    existing_entry_pks = set(entries.values_list("pk", flat=True))
    EntryHandicap.objects.bulk_create(
        EntryHandicap(season=season, entry_id=entry_pk, a_board=handicap_per_board)
        for entry_pk, handicap_per_board in rows
        if entry_pk in existing_entry_pks
    )


@transaction.atomic
def set_personal_handicap(
    *, season: Season, player: int, a_board: str, reason: str = "", by: Actor
) -> None:
    """Set a person's handicap for a season, with a reason; "" removes the handicap.

    Raises HandicapRefused for an invalid number, a missing or unprintable reason, or a player
    of another club.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    person = Player.objects.filter(pk=player, club=season.club_id).first()
    if person is None:
        raise HandicapRefused(_("This player isn’t in the club."))
    director_handicap = HandicapByHand.objects.filter(season=season, player=player).first()
    old_values = (
        (director_handicap.a_board, director_handicap.reason) if director_handicap else ("", "")
    )
    new_values = _validate_handicap(a_board, reason)
    if old_values == new_values:
        return
    if new_values[0]:
        column_values = dict(zip(("a_board", "reason"), new_values, strict=True))
        HandicapByHand.objects.update_or_create(
            season=season, player_id=player, defaults=column_values
        )
    elif director_handicap is not None:
        director_handicap.delete()
    audit.record(
        by,
        "handicap.given",
        subject=season,
        where={"name": person.name},
        before={"player": player, "a_board": old_values[0]},
        after={"player": player, "a_board": new_values[0]},
        undo=Undo(
            ("season", f"player {player}"),
            "handicap.give",
            {"player": player, "a_board": old_values[0], "reason": old_values[1]},
        ),
    )


@transaction.atomic
def recompute_handicaps(*, season: Season, event: Event, by: Actor) -> int:
    """Compute the stored handicaps of an event again; return the number of changed ones.

    The new handicaps are those for the day of the event. Directors use this service after a
    change of terms or handicaps if the event had already opened.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    handicap_terms = load_season_terms(season)
    if handicap_terms is None:
        raise HandicapRefused(_("This season has no handicap."))
    old_rows = _load_stored_rows(season, event)
    EntryHandicap.objects.filter(season=season, entry__event=event).delete()
    _store_computed_handicaps(season, handicap_terms, [event.pk])
    new_rows = _load_stored_rows(season, event)
    changed_count = len(set(map(tuple, new_rows)) - set(map(tuple, old_rows)))
    if old_rows != new_rows:
        _record_recomputation(season, event, old_rows, by)
    return changed_count


@transaction.atomic
def restore_handicaps(
    *, season: Season, event: str, rows: StoredHandicapRows, by: Actor
) -> None:
    """Restore the previous handicaps of an event's entries, to undo a recomputation."""
    season = Season.objects.select_for_update().get(pk=season.pk)
    event_row = Event.objects.filter(slug=event, club=season.club_id).first()
    if event_row is None:
        return
    old_rows = _load_stored_rows(season, event_row)
    EntryHandicap.objects.filter(season=season, entry__event=event_row).delete()
    _store_handicap_rows(season, Entry.objects.filter(event=event_row), rows)
    _record_recomputation(season, event_row, old_rows, by)


@transaction.atomic
def freeze_handicaps(season: Season) -> None:
    """Store the handicaps of all events of a season that have opened; idempotent.

    A worker runs this service soon after play opens, and also when a season gets a handicap,
    for events that opened earlier. If the opening of an event was undone, its stored handicaps
    are deleted.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    handicap_terms = load_season_terms(season)
    if handicap_terms is not None:
        _query_handicaps_of_unopened_events(season).delete()
        _store_computed_handicaps(
            season,
            handicap_terms,
            list(query_events_without_stored_handicaps(season).values_list("pk", flat=True)),
        )


def query_events_without_stored_handicaps(season: Season) -> QuerySet[Event]:
    """Return the season's opened events that have an entry without a stored handicap."""
    season_days = (season.first_day, season.last_day)
    events = Event.objects.filter(
        club=season.club_id, date__range=season_days, contest__in=HANDICAP_CONTESTS
    )
    stored_handicaps = EntryHandicap.objects.filter(season=season, entry=OuterRef("pk"))
    entries_without_handicap = Entry.objects.filter(
        ~Exists(stored_handicaps), event=OuterRef("pk")
    )
    return events.exclude_hidden().filter(
        _build_has_opened_condition("pk"), Exists(entries_without_handicap)
    )


def list_season_pks_to_freeze() -> list[int]:
    """Return the primary keys of seasons whose stored handicaps are incomplete or obsolete.

    Handicaps are obsolete if the opening of their event was undone.
    """
    seasons = Season.objects.filter(handicap__isnull=False, club__moved_to="")
    return [
        season.pk
        for season in seasons
        if query_events_without_stored_handicaps(season).exists()
        or _query_handicaps_of_unopened_events(season).exists()
    ]


def _query_handicaps_of_unopened_events(season: Season) -> QuerySet[EntryHandicap]:
    """Return the season's stored handicaps of events whose opening was undone."""
    return EntryHandicap.objects.filter(
        ~_build_has_opened_condition("entry__event"), season=season
    )


def _build_has_opened_condition(event_path: str) -> Exists:
    """Return the query condition that at least one session of the event has opened.

    `event_path` is the field path to the event's primary key.
    """
    sessions = Session.objects.exclude(state=Session.State.PLANNED)
    return Exists(sessions.filter(event=OuterRef(event_path)))


def _store_computed_handicaps(
    season: Season, handicap_terms: HandicapTerms, event_pks: Sequence[int]
) -> None:
    event_entries = Entry.objects.filter(event__in=event_pks)
    stored_entry_pks = set(
        EntryHandicap.objects.filter(season=season, entry__in=event_entries).values_list(
            "entry", flat=True
        )
    )
    player_pks_by_entry: dict[int, list[int]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(entry__in=event_entries).order_by(
        "entry", "order"
    )
    for entry_pk, player_pk in entry_players.values_list("entry", "player"):
        player_pks_by_entry[entry_pk].append(player_pk)
    entries_by_day_and_event: dict[tuple[Date, int], list[int]] = defaultdict(list)
    for entry_pk, event_pk, day in event_entries.values_list(
        "pk", "event", "event__date"
    ).order_by("number"):
        entries_by_day_and_event[day, event_pk].append(entry_pk)
    if not entries_by_day_and_event:
        return
    handicap_input = load_handicap_input(
        season,
        handicap_terms,
        min(entries_by_day_and_event)[0],
        max(entries_by_day_and_event)[0],
    )
    for (day, _event_pk), entry_pks in entries_by_day_and_event.items():
        entry_handicaps = handicap_input.compute_entry_handicaps(
            [player_pks_by_entry[entry_pk] for entry_pk in entry_pks], day.isoformat()
        )
        EntryHandicap.objects.bulk_create(
            EntryHandicap(season=season, entry_id=entry_pk, a_board=str(handicap))
            for entry_pk, handicap in zip(entry_pks, entry_handicaps, strict=True)
            if entry_pk not in stored_entry_pks
        )
    bump_version(season.audit_key)
    for event_row in Event.objects.filter(pk__in=event_pks):
        bump_version(event_row.audit_key)


def _load_stored_rows(season: Season, event: Event) -> list[list[Any]]:
    entry_handicaps = EntryHandicap.objects.filter(season=season, entry__event=event)
    return [
        list(row) for row in entry_handicaps.order_by("entry").values_list("entry", "a_board")
    ]


def _record_recomputation(
    season: Season, event: Event, old_rows: StoredHandicapRows, by: Actor
) -> None:
    bump_version(event.audit_key)
    undo_arguments = {"event": event.slug, "rows": [list(row) for row in old_rows]}
    audit.record(
        by,
        "handicap.found",
        subject=season,
        after={"event": event.name},
        undo=Undo(("season",), "handicap.put_back", undo_arguments),
    )


def _read_valid_terms(stored_terms: Mapping[str, Any]) -> HandicapTerms:
    parsed_terms = read_terms(stored_terms)
    if isinstance(parsed_terms, list):
        raise HandicapRefused("", parsed_terms)
    return parsed_terms


def _check_ladders_valid(season: Season, handicap_terms: HandicapTerms | None) -> None:
    """Raise HandicapRefused if a ladder that uses the terms would become invalid."""
    for ladder in season.ladders.prefetch_related("handicaps"):
        handicaps_by_person = {
            handicap.player_id: parse_fraction(handicap.a_board) or Fraction()
            for handicap in ladder.handicaps.all()
        }
        parsed_rule = read_rule(
            ladder.rule, handicaps_by_person, handicap_terms.figure if handicap_terms else ""
        )
        if isinstance(parsed_rule, list):
            message = _("Ladder %(ladder)s uses this handicap. %(why)s")
            raise HandicapRefused(
                message % {"ladder": ladder.name, "why": InvalidSettingsError("", parsed_rule)}
            )


def _validate_handicap(handicap_per_board: str, reason: str) -> tuple[str, str]:
    handicap_per_board, reason = handicap_per_board.strip(), " ".join(reason.split())[:200]
    if not handicap_per_board:
        return "", ""
    handicap = parse_fraction(handicap_per_board.replace("\N{MINUS SIGN}", "-"))
    if handicap is None or abs(handicap) > MAX_HANDICAP:
        raise HandicapRefused(_("Enter a number such as 0.25, -0.1 or 1/5."))
    if not reason:
        raise HandicapRefused(_("Enter a reason."))
    if not can_be_printed(reason):
        raise HandicapRefused(_("The reason contains a character that can’t be printed."))
    return str(handicap), reason
