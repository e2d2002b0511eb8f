"""Closing a season keeps its ladders as they stand; a correction later makes a version more."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.audit import Actor, Back
from seasons.ladders.models import Season, SeasonVersion
from seasons.ladders.rules.table import LadderRow
from seasons.ladders.season_tables import tables_of


@transaction.atomic
def close_season(*, season: Season, by: Actor) -> SeasonVersion:
    """Keep how the ladders stand; where nothing has changed, the version that there is."""
    season = Season.objects.select_for_update().get(pk=season.pk)  # a double click races
    rows = ladders_now(season)
    last = season.versions.last()
    if last is not None and last.rows == rows:
        return last
    reason = SeasonVersion.Reason.CORRECTED if last else SeasonVersion.Reason.CLOSED
    version = SeasonVersion.objects.create(
        season=season,
        number=last.number + 1 if last else 1,
        rows=rows,
        reason=reason,
        made_by=audit.name_of(by),
        made_at=timezone.now(),
    )
    audit.record(
        by,
        "season.closed",
        subject=season,
        after={"name": season.name, "version": version.number},
        back=Back(("season",), "season.unclose", {"version": version.number}),
    )
    return version


@transaction.atomic
def unclose_season(*, season: Season, version: int, by: Actor) -> None:
    """Take the newest version away, as if the season had not been closed then."""
    season = Season.objects.select_for_update().get(pk=season.pk)
    last = season.versions.last()
    if last is None or last.number != version:
        return
    last.delete()
    audit.record(
        by,
        "season.unclosed",
        subject=season,
        before={"version": version},
        back=Back(("season",), "season.close"),
    )


def ladders_now(season: Season) -> dict[str, list[dict[str, Any]]]:
    """Write the ladders as they stand: people by their keys, so no name is kept."""
    tables = tables_of(season)
    return {each.slug: _kept(table.rows) for each, table in tables}


def _kept(rows: tuple[LadderRow, ...]) -> list[dict[str, Any]]:
    return sorted(
        (
            {
                "who": row.who if isinstance(row.who, str) else list(row.who),
                "rank": row.rank,
                "tied": row.tied,
                "evenings": row.evenings,
                "value": str(row.total),
            }
            for row in rows
        ),
        key=lambda kept: (kept["rank"] or len(rows) + 1, str(kept["who"])),
    )
