"""The forms in which partners stay together all evening: partner drive and military whist."""

from django.utils.translation import gettext as _

from drives.draw.evening import Plan
from drives.draw.fixed_schedules import build_fort_rounds, build_partner_rounds
from drives.draw.participants import Participants, check_rounds
from drives.draw.plan_statistics import compute_statistics
from drives.errors import UnplayableDrive
from drives.play_forms.play_form import DriveForm, SeatsKnown, format_partners_call
from server.translation import gettext_noop


def _plan_pairs(participants: Participants, rounds: int, _secret: bytes) -> Plan:
    check_rounds(rounds)
    if participants.seated or participants.apart:
        raise UnplayableDrive(
            _("Pairs stay together here, so no one can be stationary or kept apart.")
        )
    if (len(participants.players) + len(participants.playing_house_players)) % 2:
        raise UnplayableDrive(_("Pairs need an even number of players. Add a stand-in."))
    schedule = build_partner_rounds(participants, rounds)
    return Plan(
        rounds=tuple(schedule),
        statistics=compute_statistics(schedule, participants.players),
        tries=0,
    )


def _plan_forts(participants: Participants, rounds: int, _secret: bytes) -> Plan:
    check_rounds(rounds)
    if participants.seated or participants.apart:
        raise UnplayableDrive(
            _("Forts move together here, so no one can be stationary or kept apart.")
        )
    forts, left_over = divmod(
        len(participants.players) + len(participants.playing_house_players), 4
    )
    if left_over:
        message = _(
            "Forts have four players: %(forts)s forts leave %(over)s over. Add %(more)s."
        )
        raise UnplayableDrive(
            message % {"forts": forts, "over": left_over, "more": 4 - left_over}
        )
    schedule = build_fort_rounds(participants, rounds)
    return Plan(
        rounds=tuple(schedule),
        statistics=compute_statistics(schedule, participants.players),
        tries=0,
    )


PARTNER = DriveForm(
    code="partner",
    seats_known=SeatsKnown.AHEAD,
    plan_rounds=_plan_pairs,
    format_call=format_partners_call,
    title=gettext_noop("Partner drive"),
    blurb=gettext_noop("Pairs stay together. Odd pairs move one table up, even pairs stay."),
    drawbacks=gettext_noop(
        "Odd pairs meet only even pairs, and meet again after a full circle."
    ),
    terms={},
    has_roles=False,
    keeps_partners=True,
)
"""A schedule in which odd pairs move and even pairs stay.

Source: the pairs' evenings of klaverjas clubs.
"""
MILITARY = DriveForm(
    code="military",
    seats_known=SeatsKnown.AHEAD,
    plan_rounds=_plan_forts,
    format_call=format_partners_call,
    title=gettext_noop("Military whist"),
    blurb=gettext_noop("Each team of four holds a fort: one pair stays, one visits for flags."),
    drawbacks=gettext_noop("Exactly four to a team. One partner for the whole evening."),
    terms={},
    has_roles=False,
    keeps_partners=True,
)
"""A schedule of forts of two pairs, whose away pairs visit another fort each round."""
