"""A season for the demo club, which fills every page of its site: `manage.py season demo`."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

import scoring.services
from clubs.models import Club, Membership
from clubs.today import get_club_date
from drives.services import close_drive
from hall.demo_drives import ROUNDS, create_demo_drive
from hall.demo_evenings import create_evening, pair_players
from seasons.ladders.models import Season
from seasons.ladders.rules.presets import PRESETS
from seasons.ladders.services.importing import create_season
from server.models import User

PARTNERS_APART = (1, 5, 9)
"""How far apart on the list partners are, for each finished evening."""
EVENINGS_THAT_COUNT = 2
POINTS_BY_PLACE = ("10", "7", "5", "3", "2", "1")
PLAYERS = 28
DRIVE_PLAYERS = 20
SEASON_DAYS = 90


@transaction.atomic
def create_demo_season(club: Club) -> Season:
    """Create a season with three finished evenings, a finished drive and four ladders.

    The club's first owner is the author. A club that has a season gets nothing; its season is
    returned.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    by = User.objects.filter(
        memberships__club=club, memberships__role=Membership.Role.OWNER
    ).earliest("pk")
    if existing_season := club.seasons.first():
        return existing_season
    today = get_club_date(club)
    names = list(club.players.order_by("pk").values_list("name", flat=True)[:PLAYERS])
    for weeks, apart in enumerate(PARTNERS_APART, start=1):
        day = today - timedelta(weeks=len(PARTNERS_APART) + 1 - weeks)
        session = create_evening(
            club, _("Club night"), pair_players(names, apart=apart), day,
            rounds=len(names) // 4, by=by,
        )  # fmt: skip
        scoring.services.close_session(session=session, by=by)
    drive = create_demo_drive(
        club, names[:DRIVE_PLAYERS], today - timedelta(days=10), by, rounds_played=ROUNDS
    )
    close_drive(drive=drive, anyway=True, by=by)
    ladders = [
        {
            "slug": preset.key,
            "name": preset.name(),
            **preset.rule(EVENINGS_THAT_COUNT, POINTS_BY_PLACE),
        }
        for preset in PRESETS
        if preset.key in ("best", "average", "places", "attendance")
    ]
    first = today - timedelta(days=SEASON_DAYS)
    last = today + timedelta(days=SEASON_DAYS)
    return create_season(
        club=club, name=_("This season"), first=first, last=last, ladders=ladders, by=by
    )
