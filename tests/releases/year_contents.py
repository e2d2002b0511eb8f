"""What a club's year gives: ladders, grades, drives, rubber nights, and undoable acts."""

from collections.abc import Sequence
from typing import Any

import drives.services
import rubbers.services
from boards.whist import WhistError
from clubs import audit
from clubs.models import Act, Club
from drives.files.export import export_drive
from drives.models import Drive
from drives.snapshot import load_drive_snapshot
from rubbers.files.export import export_night
from rubbers.models import RubberNight
from rubbers.snapshot import load_night
from seasons.grades.models import Grade
from seasons.grades.services.computation import compute_grades
from seasons.ladders.models import Season
from seasons.ladders.services.ladders import serialize_ladders
from seasons.publishing.documents.writing import build_drive_document
from tests.releases.database_contents import find_owner, roll_back_afterwards

Activity = Drive | RubberNight


def read_year() -> dict[str, Any]:
    """Compute all figures of a year from its stored scores and results."""
    return {
        "ladders": {season.slug: serialize_ladders(season) for season in Season.objects.all()},
        "grades": recompute_grades(),
        "standings": {row.slug: build_drive_document(row) for row in list_activities()},
        "files": {row.slug: export_activity(row) for row in list_activities()},
        "goes back": list_undoable_activity_acts(),
    }


def list_activities() -> list[Activity]:
    """Return the drives, and the rubber nights that don't belong to a drive."""
    rubber_nights = RubberNight.objects.filter(drive=None).select_related(
        "club", "evening", "drive"
    )
    drive_rows = Drive.objects.select_related("club", "evening").order_by("pk")
    return [*drive_rows, *rubber_nights.order_by("pk")]


def export_activity(row: Activity) -> dict[str, Any]:
    """Export the file of a drive or a night, with its secret."""
    if isinstance(row, Drive):
        return export_drive(load_drive_snapshot(row))
    return export_night(load_night(row))


def recompute_grades() -> dict[str, list[list[Any]]]:
    """Compute the grades of each club that keeps them from its results only."""
    with roll_back_afterwards():
        for club in Club.objects.filter(grade_book__isnull=False):
            is_first = True
            while compute_grades(club, should_recompute_all=is_first):
                is_first = False
        return {
            club.slug: [
                [grade.player.name, round(grade.mean, 6)]
                for grade in Grade.objects.filter(book__club=club)
                .select_related("player")
                .order_by("player")
            ]
            for club in Club.objects.order_by("pk")
        }


def list_undoable_activity_acts(
    candidate_acts: Sequence[Sequence[object]] | None = None,
) -> list[list[Any]]:
    """Undo each act of a drive or night on its own, as `list_undoable_acts` does for events."""
    return [
        act_key
        for row in list_activities()
        for place, act in enumerate(audit.list_acts(row).order_by("pk"))
        for act_key in [[row.slug, place, act.action]]
        if (candidate_acts is None or act_key in candidate_acts) and is_undoable(act, row)
    ]


def is_undoable(act: Act, row: Activity) -> bool:
    """Return whether an act can be undone now; a refusal with a message is no fault."""
    if not act.back.get("call") or Act.objects.filter(undoes=act).exists():
        return False
    with roll_back_afterwards():
        try:
            if isinstance(row, Drive):
                drives.services.undo_act(drive=row, act=act, by=find_owner(row.club))
            else:
                rubbers.services.undo_act(night=row, act=act, by=find_owner(row.club))
        except WhistError:
            return False
        return True
