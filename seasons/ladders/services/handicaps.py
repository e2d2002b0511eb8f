"""The services for the handicaps of a season.

They change the terms, set a person's handicap, and store the handicaps of entries when play
opens.
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
from seasons.ladders.errors import HandicapRefused, RuleRefused
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
"""The stored handicaps in an action history, as pairs of an entry's primary key and a fraction.
"""


@transaction.atomic
def set_season_handicap(
    *,
    season: Season,
    terms: Mapping[str, Any] | None,
    kept: StoredHandicapRows | None = None,
    by: Actor,
) -> SeasonHandicap | None:
    """Set the handicap terms of a season; None removes them.

    Stored handicaps of events that have opened stay valid, unless the unit changes between
    tricks and per cent. In that case they are deleted and computed again. An undo passes the
    previous handicaps in `kept`, which are restored.

    Raises HandicapRefused if the terms are invalid, or if a ladder of the season does not fit
    them. It is also raised if the unit changes while the director has set handicaps.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)  # serializes double clicks
    row = SeasonHandicap.objects.filter(season=season).first()
    before = row.terms if row else None
    parsed_terms = None if terms is None else _read_valid_terms(terms)
    _refuse_ladders(season, parsed_terms)
    after = None if parsed_terms is None else serialize_terms(parsed_terms)
    if before == after:
        return row
    undo_arguments: dict[str, Any] = {"terms": before}
    if kept is not None or _has_other_unit(season, row, parsed_terms):
        if season.by_hand.exists():
            raise HandicapRefused(
                _("Remove the handicaps set by hand first. They are in the other unit.")
            )
        undo_arguments["kept"] = _replace_stored_handicaps(season, kept or ())
    if after is None:
        SeasonHandicap.objects.filter(season=season).delete()
        row = None
    else:
        row, _new = SeasonHandicap.objects.update_or_create(
            season=season, defaults={"terms": after}
        )
    audit.record(
        by,
        "handicap.settled",
        subject=season,
        before={"terms": before},
        after={"terms": after},
        back=Undo(("season",), "handicap.settle", undo_arguments),
    )
    return row


def _has_other_unit(
    season: Season, row: SeasonHandicap | None, new_terms: HandicapTerms | None
) -> bool:
    """Return whether the new terms have another unit than the season's stored handicaps.

    If the season has no terms now, its last terms are read from the action history.
    """
    if new_terms is None:
        return False
    if row is not None:
        return _read_valid_terms(row.terms).figure != new_terms.figure
    acts = audit.list_acts(season).filter(action="handicap.settled", undoes=None)
    last_act = acts.filter(undone_by=None).first()
    before = last_act.before["terms"] if last_act else None
    return before is not None and _read_valid_terms(before).figure != new_terms.figure


def _replace_stored_handicaps(season: Season, rows: StoredHandicapRows) -> StoredHandicapRows:
    """Replace all stored handicaps of a season, and return the previous ones."""
    stored_rows = EntryHandicap.objects.filter(season=season)
    previous_rows = [
        list(pair) for pair in stored_rows.order_by("entry").values_list("entry", "a_board")
    ]
    stored_rows.delete()
    entries = [pk for pk, _a_board in (*previous_rows, *rows)]
    known_entries = Entry.objects.filter(pk__in=entries)
    _store_rows(season, known_entries, rows)
    for object_ in Event.objects.filter(entries__in=known_entries).distinct():
        bump_version(object_.audit_key)
    return previous_rows


def _store_rows(season: Season, entries: QuerySet[Entry], rows: StoredHandicapRows) -> None:
    """Store the handicaps of the given entries; handicaps of deleted entries are ignored."""
    existing_keys = set(entries.values_list("pk", flat=True))
    EntryHandicap.objects.bulk_create(
        EntryHandicap(season=season, entry_id=pk, a_board=a_board)
        for pk, a_board in rows
        if pk in existing_keys
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
    if not Player.objects.filter(pk=player, club=season.club_id).exists():
        raise HandicapRefused(_("This player isn't in the club."))
    row = HandicapByHand.objects.filter(season=season, player=player).first()
    before = (row.a_board, row.reason) if row else ("", "")
    after = _validate_handicap(a_board, reason)
    if before == after:
        return
    if after[0]:
        new_values = dict(zip(("a_board", "reason"), after, strict=True))
        HandicapByHand.objects.update_or_create(
            season=season, player_id=player, defaults=new_values
        )
    elif row is not None:
        row.delete()
    audit.record(
        by,
        "handicap.given",
        subject=season,
        before={"player": player, "a_board": before[0]},
        after={"player": player, "a_board": after[0]},
        back=Undo(
            ("season", f"player {player}"),
            "handicap.give",
            {"player": player, "a_board": before[0], "reason": before[1]},
        ),
    )


@transaction.atomic
def recompute_handicaps(*, season: Season, event: Event, by: Actor) -> int:
    """Replace the stored handicaps of an event, and return how many of them have changed.

    The new handicaps are those for the day of the event. Directors need this after they
    changed terms or handicaps of an event that had already opened.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    terms = load_season_terms(season)
    if terms is None:
        raise HandicapRefused(_("This season has no handicap."))
    before = _load_rows(season, event)
    EntryHandicap.objects.filter(season=season, entry__event=event).delete()
    _freeze(season, terms, [event.pk])
    after = _load_rows(season, event)
    differing = len(set(map(tuple, after)) - set(map(tuple, before)))
    if before != after:
        _record_recomputed(season, event, before, by)
    return differing


@transaction.atomic
def restore_handicaps(
    *, season: Season, event: str, rows: StoredHandicapRows, by: Actor
) -> None:
    """Restore the previous handicaps of an event's entries, to undo a recomputation."""
    season = Season.objects.select_for_update().get(pk=season.pk)
    event_row = Event.objects.filter(slug=event, club=season.club_id).first()
    if event_row is None:
        return
    before = _load_rows(season, event_row)
    EntryHandicap.objects.filter(season=season, entry__event=event_row).delete()
    _store_rows(season, Entry.objects.filter(event=event_row), rows)
    _record_recomputed(season, event_row, before, by)


@transaction.atomic
def freeze_handicaps(season: Season) -> None:
    """Store the handicaps of all events of a season that have opened; idempotent.

    A worker runs it soon after play opens. It also runs when a season gets a handicap, for
    events that opened earlier. If the opening of an event was undone, its stored handicaps are
    deleted.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    terms = load_season_terms(season)
    if terms is not None:
        _query_unopened_handicaps(season).delete()
        _freeze(
            season, terms, list(query_events_to_freeze(season).values_list("pk", flat=True))
        )


def query_events_to_freeze(season: Season) -> QuerySet[Event]:
    """Return the season's opened events that have an entry without a stored handicap."""
    days = (season.first_day, season.last_day)
    rows = Event.objects.filter(
        club=season.club_id, date__range=days, contest__in=HANDICAP_CONTESTS
    )
    stored_handicaps = EntryHandicap.objects.filter(season=season, entry=OuterRef("pk"))
    entries_without_handicap = Entry.objects.filter(
        ~Exists(stored_handicaps), event=OuterRef("pk")
    )
    return rows.exclude_hidden().filter(_has_opened("pk"), Exists(entries_without_handicap))


def list_seasons_to_freeze() -> list[int]:
    """Return the primary keys of seasons whose stored handicaps are incomplete or obsolete.

    Handicaps are obsolete if the opening of their event was undone.
    """
    seasons = Season.objects.filter(handicap__isnull=False, club__moved_to="")
    return [
        season.pk
        for season in seasons
        if query_events_to_freeze(season).exists() or _query_unopened_handicaps(season).exists()
    ]


def _query_unopened_handicaps(season: Season) -> QuerySet[EntryHandicap]:
    """Return the season's stored handicaps of events whose opening was undone."""
    return EntryHandicap.objects.filter(~_has_opened("entry__event"), season=season)


def _has_opened(event: str) -> Exists:
    """Return a query condition: at least one session of the event has opened.

    `event` is the field path to the event's primary key.
    """
    sessions = Session.objects.exclude(state=Session.State.PLANNED)
    return Exists(sessions.filter(event=OuterRef(event)))


def _freeze(season: Season, terms: HandicapTerms, events: Sequence[int]) -> None:
    rows = Entry.objects.filter(event__in=events)
    stored_keys = set(
        EntryHandicap.objects.filter(season=season, entry__in=rows).values_list(
            "entry", flat=True
        )
    )
    people: dict[int, list[int]] = defaultdict(list)
    seats = EntryPlayer.objects.filter(entry__in=rows).order_by("entry", "order")
    for entry, player in seats.values_list("entry", "player"):
        people[entry].append(player)
    fields: dict[tuple[Date, int], list[int]] = defaultdict(list)
    for pk, event, day in rows.values_list("pk", "event", "event__date").order_by("number"):
        fields[day, event].append(pk)
    if not fields:
        return
    handicap_input = load_handicap_input(season, terms, min(fields)[0], max(fields)[0])
    for (day, _event), entries in fields.items():
        handicaps = handicap_input.compute_for_entries(
            [people[pk] for pk in entries], day.isoformat()
        )
        EntryHandicap.objects.bulk_create(
            EntryHandicap(season=season, entry_id=pk, a_board=str(handicap))
            for pk, handicap in zip(entries, handicaps, strict=True)
            if pk not in stored_keys
        )
    bump_version(season.audit_key)
    for object_ in Event.objects.filter(pk__in=events):
        bump_version(object_.audit_key)


def _load_rows(season: Season, event: Event) -> list[list[Any]]:
    rows = EntryHandicap.objects.filter(season=season, entry__event=event)
    return [list(pair) for pair in rows.order_by("entry").values_list("entry", "a_board")]


def _record_recomputed(
    season: Season, event: Event, before: StoredHandicapRows, by: Actor
) -> None:
    bump_version(event.audit_key)
    undo_arguments = {"event": event.slug, "rows": [list(pair) for pair in before]}
    audit.record(
        by,
        "handicap.found",
        subject=season,
        after={"event": event.name},
        back=Undo(("season",), "handicap.put_back", undo_arguments),
    )


def _read_valid_terms(terms: Mapping[str, Any]) -> HandicapTerms:
    parsed_terms = read_terms(terms)
    if isinstance(parsed_terms, list):
        raise HandicapRefused("", parsed_terms)
    return parsed_terms


def _refuse_ladders(season: Season, terms: HandicapTerms | None) -> None:
    """Raise HandicapRefused if the terms do not fit a ladder with the season's handicap."""
    for row in season.ladders.prefetch_related("handicaps"):
        personal_handicaps = {
            handicap.player_id: parse_fraction(handicap.a_board) or Fraction()
            for handicap in row.handicaps.all()
        }
        parsed_rule = read_rule(row.rule, personal_handicaps, terms.figure if terms else "")
        if isinstance(parsed_rule, list):
            message = _("The ladder %(ladder)s uses it. %(why)s")
            raise HandicapRefused(
                message % {"ladder": row.name, "why": RuleRefused("", parsed_rule)}
            )


def _validate_handicap(a_board: str, reason: str) -> tuple[str, str]:
    a_board, reason = a_board.strip(), " ".join(reason.split())[:200]
    if not a_board:
        return "", ""
    number = parse_fraction(a_board.replace("\N{MINUS SIGN}", "-"))
    if number is None or abs(number) > MAX_HANDICAP:
        raise HandicapRefused(_("Enter a number such as 0.25, -0.1 or 1/5."))
    if not reason:
        raise HandicapRefused(_("Enter a reason."))
    if not can_be_printed(reason):
        raise HandicapRefused(_("The reason contains a character that can't be printed."))
    return str(number), reason
