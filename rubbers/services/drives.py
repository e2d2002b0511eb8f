"""Services for drives whose tables record rubbers.

The points of the rubbers become the scores of the drive.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.slugs import create_free_slug
from drives.models import Drive
from drives.scores.rules import ScoreKind
from drives.scores.terms import parse_scoring
from drives.services.seat_changes import check_drive_open
from rubbers.errors import RubberRefused
from rubbers.models import RubberHand, RubberNight
from rubbers.rubber.codes import find_law_code
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.terms import change_terms

RUBBERS_UNDO_SUBJECTS = ("drive rubbers",)


@transaction.atomic
def enable_rubbers(
    *, drive: Drive, code: str, terms: Mapping[str, Any] | None = None, by: Actor
) -> RubberNight:
    """Let the tables of a drive record rubbers by a code of laws; idempotent.

    A table plays one rubber in each round. Raises RubberRefused unless the drive has one score
    for each side and round, and both scores may add up to 0.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    existing_night = RubberNight.objects.filter(drive=locked_drive).first()
    if existing_night is not None:
        return existing_night
    scoring = parse_scoring(locked_drive.score, locked_drive.hands)
    if (
        scoring.kind is not ScoreKind.SIDE
        or scoring.hands_per_round != 1
        or scoring.total not in (None, 0)
    ):
        message = _("This drive isn’t scored by rubbers. Create one that is.")
        raise RubberRefused(message)
    try:
        change_terms(find_law_code(code).terms, terms or {})
    except UnplayableHand as problem:
        raise RubberRefused(str(problem)) from None
    night = build_drive_rubber_night(locked_drive)
    night.code, night.terms = code, dict(terms or {})
    night.save()
    audit.record(
        by,
        "drive.rubbers",
        subject=locked_drive,
        after={"code": code},
        undo=Undo(RUBBERS_UNDO_SUBJECTS, "drive.drop_rubbers"),
    )
    return night


def build_drive_rubber_night(drive: Drive) -> RubberNight:
    """Return a new unsaved night for a drive's rubbers; the caller sets its code."""
    return RubberNight(
        club=drive.club,
        drive=drive,
        evening=drive.evening,
        slug=create_free_slug(f"{slugify(drive.name)[:50] or 'drive'}-rubbers", RubberNight),
        name=drive.name,
        paper_size=drive.paper_size,
    )


@transaction.atomic
def disable_rubbers(*, drive: Drive, by: Actor) -> None:
    """Let the tables of a drive enter scores again.

    Raises ActionUnavailable if a hand was recorded.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    night = RubberNight.objects.filter(drive=locked_drive).first()
    if night is None:
        return
    if RubberHand.objects.filter(table__night=night).exists():
        raise ActionUnavailable(_("Hands have been entered, so the drive keeps its rubbers."))
    undo_arguments = {"code": night.code, "terms": night.terms}
    night.delete()
    audit.record(
        by,
        "drive.rubbers_dropped",
        subject=locked_drive,
        before={"code": night.code},
        undo=Undo(RUBBERS_UNDO_SUBJECTS, "drive.rubbers", undo_arguments),
    )
