"""The services that change a season's ladders and days, and that close a season."""

from collections.abc import Mapping, Sequence
from datetime import date as Date
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.evenings.recurrence import format_date_range_error, is_outside_supported_dates
from clubs.slugs import create_free_slug
from seasons.ladders.errors import LadderRefused, format_missing_player_error
from seasons.ladders.models import Handicap, Ladder, Season, SeasonVersion
from seasons.ladders.rules.rule import read_rule, serialize_rule
from seasons.ladders.rules.table import LadderRow
from seasons.ladders.season_tables import load_ladder_tables, load_season_terms
from server.json_reader.problems import can_be_printed
from server.json_reader.values import parse_fraction

MAX_LADDERS = 30
"""The maximum number of ladders of one season."""
RuleData = Mapping[str, Any]
"""A rule in the stored format that `read_rule` reads."""


@transaction.atomic
def save_ladder(
    *, season: Season, name: str, rule: RuleData, ladder_slug: str = "", by: Actor
) -> Ladder:
    """Add a ladder to a season, or change the name and rule of the ladder with the given slug.

    A new rule applies to all evenings of the season, because tables are computed on request.
    The snapshots of a closed season do not change. A repeated call has no effect. Raises
    LadderRefused with all faults of the rule.
    """
    # The lock makes the second request of a double click wait for the first one.
    season = Season.objects.select_for_update().get(pk=season.pk)
    name = " ".join(name.split())[:100]
    if not name:
        raise LadderRefused(_("Enter a name for the ladder."))
    ladder_row = _get_ladder(season, ladder_slug) if ladder_slug else None
    rule_data = _validate_rule(season, ladder_row, rule)
    if ladder_row is None:
        same_named_ladder = season.ladders.filter(name=name).first()
        if same_named_ladder is not None and same_named_ladder.rule == rule_data:
            return same_named_ladder
        return _add_ladder(season, name, rule_data, by)
    if (ladder_row.name, ladder_row.rule) == (name, rule_data):
        return ladder_row
    old_data = _build_history_data(ladder_row)
    ladder_row.name, ladder_row.rule = name, rule_data
    ladder_row.save(update_fields=["name", "rule"])
    audit.record(
        by,
        "ladder.changed",
        subject=season,
        before={"name": old_data["name"]},
        after={"name": name},
        undo=Undo(("season", f"ladder {ladder_row.slug}"), "ladder.put_back", old_data),
    )
    return ladder_row


@transaction.atomic
def delete_ladder(*, season: Season, ladder: str, by: Actor) -> None:
    """Delete a ladder, but not the evenings of its season; the deletion can be undone."""
    season = Season.objects.select_for_update().get(pk=season.pk)
    ladder_row = season.ladders.filter(slug=ladder).first()
    if ladder_row is None:
        return
    old_data = _build_history_data(ladder_row)
    ladder_row.delete()
    audit.record(
        by,
        "ladder.removed",
        subject=season,
        before={"name": old_data["name"]},
        undo=Undo(("season", f"ladder {ladder}"), "ladder.put_back", old_data),
    )


@transaction.atomic
def restore_ladder(
    *,
    season: Season,
    ladder: str,
    name: str,
    rule: RuleData,
    order: int,
    handicaps: Sequence[tuple[int, str]],
    by: Actor,
) -> None:
    """Undo the change or the deletion of a ladder.

    The handicaps of a deleted ladder are restored too. Raises LadderRefused if the rule is no
    longer valid in the season, or if a player with a handicap was merged or deleted.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    ladder_row = season.ladders.filter(slug=ladder).first()
    is_existing = ladder_row is not None
    old_data = _build_history_data(ladder_row) if ladder_row is not None else {"ladder": ladder}
    if ladder_row is None:
        ladder_row = Ladder(season=season, slug=ladder)
    ladder_row.name, ladder_row.order, ladder_row.rule = name, order, dict(rule)
    ladder_row.save()
    if not is_existing:
        _restore_handicaps(ladder_row, handicaps)
    _validate_rule(season, ladder_row, rule)
    undo_name_and_arguments = (
        ("ladder.put_back", old_data) if is_existing else ("ladder.remove", old_data)
    )
    audit.record(
        by,
        "ladder.changed" if is_existing else "ladder.added",
        subject=season,
        after={"name": name},
        undo=Undo(("season", f"ladder {ladder}"), *undo_name_and_arguments),
    )


def _restore_handicaps(ladder: Ladder, handicaps: Sequence[tuple[int, str]]) -> None:
    """Restore the handicaps of a deleted ladder."""
    player_pks = {player_pk for player_pk, _handicap in handicaps}
    if ladder.season.club.players.filter(pk__in=player_pks).count() < len(player_pks):
        raise LadderRefused(format_missing_player_error())
    Handicap.objects.bulk_create(
        Handicap(ladder=ladder, player_id=player_pk, a_board=handicap)
        for player_pk, handicap in handicaps
    )


@transaction.atomic
def change_season(
    *, season: Season, name: str, first_day: Date, last_day: Date, by: Actor
) -> None:
    """Change a season's name or days; its ladders then count the events of the new days.

    Raises LadderRefused if the name is empty or cannot be printed. It is also raised for a day
    outside the supported range, or for a last day before the first.
    """
    season = Season.objects.select_for_update().get(pk=season.pk)
    name = " ".join(name.split())[:100]
    if not name:
        raise LadderRefused(_("Enter a name for the season."))
    if not can_be_printed(name):
        raise LadderRefused(_("The name contains a character that can’t be printed."))
    # A day that was accepted earlier is not checked again.
    if any(
        is_outside_supported_dates(day)
        for day in {first_day, last_day} - {season.first_day, season.last_day}
    ):
        raise LadderRefused(format_date_range_error())
    if last_day < first_day:
        raise LadderRefused(_("The last day is before the first day."))
    old_data = _build_season_history_data(season)
    season.name, season.first_day, season.last_day = name, first_day, last_day
    if _build_season_history_data(season) == old_data:
        return
    season.save(update_fields=["name", "first_day", "last_day"])
    audit.record(
        by,
        "season.changed",
        subject=season,
        before=old_data,
        after=_build_season_history_data(season),
        undo=Undo(("season",), "season.change", old_data),
    )


def _add_ladder(season: Season, name: str, rule_data: dict[str, Any], by: Actor) -> Ladder:
    if season.ladders.count() >= MAX_LADDERS:
        raise LadderRefused(
            _("A season can have at most %(most)s ladders.") % {"most": MAX_LADDERS}
        )
    last_order = season.ladders.aggregate(last=Max("order"))["last"] or 0
    slug = create_free_slug(slugify(name)[:50] or "ladder", season.ladders.all())
    ladder = Ladder.objects.create(
        season=season, slug=slug, name=name, rule=rule_data, order=last_order + 1
    )
    audit.record(
        by,
        "ladder.added",
        subject=season,
        after={"name": name},
        undo=Undo(("season", f"ladder {slug}"), "ladder.remove", {"ladder": slug}),
    )
    return ladder


def _get_ladder(season: Season, ladder_slug: str) -> Ladder:
    ladder = season.ladders.prefetch_related("handicaps").filter(slug=ladder_slug).first()
    if ladder is None:
        raise LadderRefused(_("Ladder not found."))
    return ladder


def _validate_rule(season: Season, ladder: Ladder | None, rule: RuleData) -> dict[str, Any]:
    """Validate a rule together with the handicaps of the season and of the ladder.

    Return the rule in its stored format.
    """
    handicaps_by_person = {
        handicap.player_id: parse_fraction(handicap.a_board) or Fraction()
        for handicap in (ladder.handicaps.all() if ladder else ())
    }
    handicap_terms = load_season_terms(season)
    rule_or_faults = read_rule(
        rule, handicaps_by_person, handicap_terms.figure if handicap_terms else ""
    )
    if isinstance(rule_or_faults, list):
        raise LadderRefused("", rule_or_faults)
    return serialize_rule(rule)


def _build_history_data(ladder: Ladder) -> dict[str, Any]:
    """Return the data of a ladder that the action history stores."""
    handicaps = [[handicap.player_id, handicap.a_board] for handicap in ladder.handicaps.all()]
    ladder_data = {
        "ladder": ladder.slug,
        "name": ladder.name,
        "rule": ladder.rule,
        "order": ladder.order,
    }
    return {**ladder_data, "handicaps": handicaps}


def _build_season_history_data(season: Season) -> dict[str, str]:
    season_days = {"first": season.first_day.isoformat(), "last": season.last_day.isoformat()}
    return {"name": season.name, **season_days}


@transaction.atomic
def close_season(*, season: Season, by: Actor) -> SeasonVersion:
    """Store a snapshot of the season's ladders and return it.

    If the ladders are the same as in the last snapshot, return that snapshot.
    """
    # The lock makes the second request of a double click wait for the first one.
    season = Season.objects.select_for_update().get(pk=season.pk)
    rows_by_ladder = serialize_ladders(season)
    last_version = season.versions.last()
    if last_version is not None and last_version.rows == rows_by_ladder:
        return last_version
    reason = SeasonVersion.Reason.CORRECTED if last_version else SeasonVersion.Reason.CLOSED
    version = SeasonVersion.objects.create(
        season=season,
        number=last_version.number + 1 if last_version else 1,
        rows=rows_by_ladder,
        reason=reason,
        made_by=audit.format_author_key(by),
        made_at=timezone.now(),
    )
    audit.record(
        by,
        "season.closed",
        subject=season,
        after={"name": season.name, "version": version.number},
        undo=Undo(("season",), "season.unclose", {"version": version.number}),
    )
    return version


@transaction.atomic
def undo_season_close(*, season: Season, version: int, by: Actor) -> None:
    """Undo the closing of a season by deleting its newest snapshot."""
    season = Season.objects.select_for_update().get(pk=season.pk)
    last_version = season.versions.last()
    if last_version is None or last_version.number != version:
        return
    last_version.delete()
    audit.record(
        by,
        "season.unclosed",
        subject=season,
        before={"version": version},
        undo=Undo(("season",), "season.close"),
    )


def serialize_ladders(season: Season) -> dict[str, list[dict[str, Any]]]:
    """Return {ladder slug: lines} of the season's current ladders; people are primary keys."""
    tables = load_ladder_tables(season)
    return {ladder.slug: _serialize_rows(table.rows) for ladder, table in tables}


def _serialize_rows(rows: tuple[LadderRow, ...]) -> list[dict[str, Any]]:
    return sorted(
        (
            {
                "who": row.subject if isinstance(row.subject, str) else list(row.subject),
                "rank": row.rank,
                "tied": row.is_tied,
                "evenings": row.evening_count,
                "value": str(row.total),
            }
            for row in rows
        ),
        key=lambda row_data: (row_data["rank"] or len(rows) + 1, str(row_data["who"])),
    )
