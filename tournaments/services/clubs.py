"""What a club settles for all of its events."""

from django.db import transaction
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor, Back
from clubs.models import Club
from tournaments.models import Event

MOST_HOURS = 24 * 60


class HoursRefused(WhistError):
    """A period for corrections that is no number of hours, or longer than two months."""

    code = "hours_refused"


@transaction.atomic
def set_correction_hours(*, event: Event, hours: str, by: Actor) -> Club:
    """Set for how long after closing scores are put right, in all events of the club."""
    typed = hours.strip()
    if not (
        typed.isascii() and typed.isdigit() and len(typed) < 6 and int(typed) <= MOST_HOURS
    ):
        raise HoursRefused(
            _("“%(hours)s” is not a number of hours. Write 0 to %(most)s.")
            % {"hours": typed[:20], "most": MOST_HOURS}
        )
    club = Club.objects.select_for_update().get(pk=event.club_id)  # two screens race here
    before, club.correction_hours = club.correction_hours, int(typed)
    if before == club.correction_hours:
        return club
    club.save(update_fields=["correction_hours"])
    audit.record(
        by,
        "club.correction_hours",
        club=club,
        event=event,
        subject=club.name,
        before=before,
        after=club.correction_hours,
        back=Back(("club hours",), "club.hours", {"hours": before, "now": int(typed)}),
    )
    return club
