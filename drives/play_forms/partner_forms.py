"""The play forms in which partners never change: the partner drive and military whist."""

from django.utils.translation import gettext as _

from drives.draw.evening import DrawPlan
from drives.draw.fixed_schedules import build_fort_rounds, build_partner_rounds
from drives.draw.participants import Participants, check_round_count
from drives.draw.plan_statistics import compute_statistics
from drives.errors import UnplayableDrive
from drives.play_forms.play_form import DriveForm, SeatingTime, format_partners_call
from server.translation import gettext_noop


def _plan_pairs(participants: Participants, round_count: int, _secret: bytes) -> DrawPlan:
    check_round_count(round_count)
    if participants.stationary_players or participants.pairs_kept_apart:
        raise UnplayableDrive(
            _("Pairs stay together, so no one can be stationary or kept apart.")
        )
    if (len(participants.players) + len(participants.playing_house_players)) % 2:
        raise UnplayableDrive(_("Pairs need an even number of players. Add a stand-in."))
    scheduled_rounds = build_partner_rounds(participants, round_count)
    return DrawPlan(
        rounds=tuple(scheduled_rounds),
        statistics=compute_statistics(scheduled_rounds, participants.players),
        try_count=0,
    )


def _plan_forts(participants: Participants, round_count: int, _secret: bytes) -> DrawPlan:
    check_round_count(round_count)
    if participants.stationary_players or participants.pairs_kept_apart:
        raise UnplayableDrive(
            _("Forts move together, so no one can be stationary or kept apart.")
        )
    fort_count, left_over_player_count = divmod(
        len(participants.players) + len(participants.playing_house_players), 4
    )
    if left_over_player_count:
        message = _(
            "Forts have four players: %(forts)s forts leave %(over)s over. Add %(more)s."
        )
        raise UnplayableDrive(
            message
            % {
                "forts": fort_count,
                "over": left_over_player_count,
                "more": 4 - left_over_player_count,
            }
        )
    scheduled_rounds = build_fort_rounds(participants, round_count)
    return DrawPlan(
        rounds=tuple(scheduled_rounds),
        statistics=compute_statistics(scheduled_rounds, participants.players),
        try_count=0,
    )


PARTNER_PLAY_FORM = DriveForm(
    code="partner",
    seating_time=SeatingTime.BEFORE_PLAY,
    plan_rounds=_plan_pairs,
    format_call=format_partners_call,
    title=gettext_noop("Partner drive"),
    blurb=gettext_noop("Pairs stay together. Odd pairs move one table up, even pairs stay."),
    drawbacks=gettext_noop(
        "Odd pairs only meet even pairs, and meet them again after a full circle."
    ),
    terms={},
    has_roles=False,
    has_fixed_partners=True,
)
"""A schedule in which odd pairs move and even pairs stay.

Source: the pairs' evenings of klaverjas clubs.
"""
MILITARY_PLAY_FORM = DriveForm(
    code="military",
    seating_time=SeatingTime.BEFORE_PLAY,
    plan_rounds=_plan_forts,
    format_call=format_partners_call,
    title=gettext_noop("Military whist"),
    blurb=gettext_noop(
        "Each team of four has a fort: one pair stays, the other visits to win flags."
    ),
    drawbacks=gettext_noop("Exactly four to a team. One partner for the whole evening."),
    terms={},
    has_roles=False,
    has_fixed_partners=True,
)
"""A schedule of forts. A fort has two pairs; its away pair visits another fort each round."""
