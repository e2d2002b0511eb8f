"""What a club's page leads on to: honours, and what was sent here."""

from dataclasses import dataclass

from clubs.models import Club
from seasons.ladders.models import Trophy
from seasons.publishing.models import Received


@dataclass(frozen=True, slots=True)
class ClubMore:
    """What else there is of a club."""

    has_trophies: bool
    has_received: bool


def club_more(club: Club) -> ClubMore:
    """Say what else there is; two questions."""
    return ClubMore(
        has_trophies=Trophy.objects.filter(club=club).exists(),
        has_received=Received.objects.filter(club=club, withdrawn_at=None).exists(),
    )
