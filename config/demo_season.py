"""A season for the demo club, which fills every page of its site: `manage.py season demo`."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

import scoring.services
from clubs.models import Club, Membership
from clubs.today import get_club_date
from drives.services import close_drive
from hall.demo_drives import ROUND_COUNT, create_demo_drive
from hall.demo_evenings import create_evening, pair_players
from seasons.ladders.models import Season
from seasons.ladders.rules.presets import PRESETS
from seasons.ladders.services.importing import create_season
from server.models import User

PARTNER_DISTANCES = (1, 5, 9)
"""For each finished evening, how far down the list of names a player's partner is."""
COUNTING_EVENINGS_PER_PLAYER = 2
"""The number of a player's best evenings that count for the demo ladders."""
POINTS_BY_PLACE = ("10", "7", "5", "3", "2", "1")
PLAYER_COUNT = 28
DRIVE_PLAYER_COUNT = 20
SEASON_DAYS = 90


@transaction.atomic
def create_demo_season(club: Club) -> Season:
    """Create a season with three finished evenings, a finished drive and four ladders.

    The club's first owner is the author. If the club already has a season, its first
    season is returned.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    owner = User.objects.filter(
        memberships__club=club, memberships__role=Membership.Role.OWNER
    ).earliest("pk")
    if existing_season := club.seasons.first():
        return existing_season
    today = get_club_date(club)
    player_names = list(
        club.players.order_by("pk").values_list("name", flat=True)[:PLAYER_COUNT]
    )
    for evening_number, distance in enumerate(PARTNER_DISTANCES, start=1):
        evening_day = today - timedelta(weeks=len(PARTNER_DISTANCES) + 1 - evening_number)
        session = create_evening(
            club, _("Club night"), pair_players(player_names, distance=distance),
            evening_day, round_count=len(player_names) // 4, by=owner,
        )  # fmt: skip
        scoring.services.close_session(session=session, by=owner)
    drive = create_demo_drive(
        club,
        player_names[:DRIVE_PLAYER_COUNT],
        today - timedelta(days=10),
        owner,
        played_round_count=ROUND_COUNT,
    )
    close_drive(drive=drive, anyway=True, by=owner)
    ladder_data = [
        {
            "slug": preset.preset_key,
            "name": preset.get_name(),
            **preset.build_rule(COUNTING_EVENINGS_PER_PLAYER, POINTS_BY_PLACE),
        }
        for preset in PRESETS
        if preset.preset_key in ("best", "average", "places", "attendance")
    ]
    first_day = today - timedelta(days=SEASON_DAYS)
    last_day = today + timedelta(days=SEASON_DAYS)
    return create_season(
        club=club,
        name=_("This season"),
        first_day=first_day,
        last_day=last_day,
        ladders=ladder_data,
        by=owner,
    )
