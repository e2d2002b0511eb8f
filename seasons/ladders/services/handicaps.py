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
    made = None if terms is None else _read_valid_terms(terms)
    _refuse_ladders(season, made)
    after = None if made is None else serialize_terms(made)
    if before == after:
        return row
    back: dict[str, Any] = {"terms": before}
    if kept is not None or _has_other_unit(season, row, made):
        if season.by_hand.exists():
            raise HandicapRefused(
                _("Remove the handicaps set by hand first. They are in the other unit.")
            )
        back["kept"] = _replace_stored_handicaps(season, kept or ())
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
        back=Undo(("season",), "handicap.settle", back),
    )
    return row


def _has_other_unit(
    season: Season, row: SeasonHandicap | None, made: HandicapTerms | None
) -> bool:
    """Return whether the new terms have another unit than the season's stored handicaps.

    If the season has no terms now, its last terms are read from the action history.
    """
    if made is None:
        return False
    if row is not None:
        return _read_valid_terms(row.terms).figure != made.figure
    acts = audit.list_acts(season).filter(action="handicap.settled", undoes=None)
    ended = acts.filter(undone_by=None).first()
    before = ended.before["terms"] if ended else None
    return before is not None and _read_valid_terms(before).figure != made.figure


def _replace_stored_handicaps(season: Season, rows: StoredHandicapRows) -> StoredHandicapRows:
    """Replace all stored handicaps of a season, and return the previous ones."""
    there = EntryHandicap.objects.filter(season=season)
    stood = [list(each) for each in there.order_by("entry").values_list("entry", "a_board")]
    there.delete()
    entries = [pk for pk, _a_board in (*stood, *rows)]
    known = Entry.objects.filter(pk__in=entries)
    _store_rows(season, known, rows)
    for each in Event.objects.filter(entries__in=known).distinct():
        bump_version(each.audit_key)
    return stood


def _store_rows(season: Season, entries: QuerySet[Entry], rows: StoredHandicapRows) -> None:
    """Store the handicaps of the given entries; handicaps of deleted entries are ignored."""
    there = set(entries.values_list("pk", flat=True))
    EntryHandicap.objects.bulk_create(
        EntryHandicap(season=season, entry_id=pk, a_board=a_board)
        for pk, a_board in rows
        if pk in there
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
        given = dict(zip(("a_board", "reason"), after, strict=True))
        HandicapByHand.objects.update_or_create(season=season, player_id=player, defaults=given)
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
    found = Event.objects.filter(slug=event, club=season.club_id).first()
    if found is None:
        return
    before = _load_rows(season, found)
    EntryHandicap.objects.filter(season=season, entry__event=found).delete()
    _store_rows(season, Entry.objects.filter(event=found), rows)
    _record_recomputed(season, found, before, by)


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
    kept = EntryHandicap.objects.filter(season=season, entry=OuterRef("pk"))
    lacking = Entry.objects.filter(~Exists(kept), event=OuterRef("pk"))
    return rows.exclude_hidden().filter(_has_opened("pk"), Exists(lacking))


def list_seasons_to_freeze() -> list[int]:
    """Return the primary keys of seasons whose stored handicaps are incomplete or obsolete.

    Handicaps are obsolete if the opening of their event was undone.
    """
    seasons = Season.objects.filter(handicap__isnull=False, club__moved_to="")
    return [
        each.pk
        for each in seasons
        if query_events_to_freeze(each).exists() or _query_unopened_handicaps(each).exists()
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
    have = set(
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
    known = load_handicap_input(season, terms, min(fields)[0], max(fields)[0])
    for (day, _event), entries in fields.items():
        found = known.of_entries([people[pk] for pk in entries], day.isoformat())
        EntryHandicap.objects.bulk_create(
            EntryHandicap(season=season, entry_id=pk, a_board=str(handicap))
            for pk, handicap in zip(entries, found, strict=True)
            if pk not in have
        )
    bump_version(season.audit_key)
    for each in Event.objects.filter(pk__in=events):
        bump_version(each.audit_key)


def _load_rows(season: Season, event: Event) -> list[list[Any]]:
    rows = EntryHandicap.objects.filter(season=season, entry__event=event)
    return [list(each) for each in rows.order_by("entry").values_list("entry", "a_board")]


def _record_recomputed(
    season: Season, event: Event, before: StoredHandicapRows, by: Actor
) -> None:
    bump_version(event.audit_key)
    given = {"event": event.slug, "rows": [list(each) for each in before]}
    audit.record(
        by,
        "handicap.found",
        subject=season,
        after={"event": event.name},
        back=Undo(("season",), "handicap.put_back", given),
    )


def _read_valid_terms(terms: Mapping[str, Any]) -> HandicapTerms:
    made = read_terms(terms)
    if isinstance(made, list):
        raise HandicapRefused("", made)
    return made


def _refuse_ladders(season: Season, terms: HandicapTerms | None) -> None:
    """Raise HandicapRefused if the terms do not fit a ladder with the season's handicap."""
    for row in season.ladders.prefetch_related("handicaps"):
        own = {
            each.player_id: parse_fraction(each.a_board) or Fraction()
            for each in row.handicaps.all()
        }
        made = read_rule(row.rule, own, terms.figure if terms else "")
        if isinstance(made, list):
            words = _("The ladder %(ladder)s uses it. %(why)s")
            raise HandicapRefused(words % {"ladder": row.name, "why": RuleRefused("", made)})


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
