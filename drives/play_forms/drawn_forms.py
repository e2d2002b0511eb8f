"""The play forms in which every round is drawn, either at random or from the standings."""

from collections.abc import Sequence

from drives.draw.evening import draw_evening, draw_next_round
from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.standings_draw import draw_by_standings
from drives.play_forms.moving_forms import draw_first_round
from drives.play_forms.play_form import DriveForm, SeatingTime
from server.translation import gettext_noop


def _draw_rounds_by_lot(
    participants: Participants,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
    _ranked_players: Sequence[PlayerId],
) -> SeatedRound:
    return draw_next_round(participants, secret, played_rounds=played_rounds)


def _draw_by_standings(
    participants: Participants,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
    ranked_players: Sequence[PlayerId],
) -> SeatedRound:
    return draw_by_standings(participants, ranked_players, secret, played_rounds=played_rounds)


SOCIAL_PLAY_FORM = DriveForm(
    code="social",
    seating_time=SeatingTime.BEFORE_PLAY,
    plan_rounds=draw_evening,
    title=gettext_noop("Social drive"),
    blurb=gettext_noop("New partners every round, with as few repeats as possible."),
    drawbacks=gettext_noop("Upcoming rounds are redrawn when a player joins or leaves."),
    terms={},
    has_roles=False,
)
LOT_PLAY_FORM = DriveForm(
    code="lot",
    seating_time=SeatingTime.ONE_ROUND_AHEAD,
    plan_rounds=draw_evening,
    draw_next_round=_draw_rounds_by_lot,
    title=gettext_noop("Random draw"),
    blurb=gettext_noop("Partners are drawn before each round and never repeat."),
    drawbacks=gettext_noop("Everyone finds a new table after each round."),
    terms={},
    has_roles=False,
)
"""A draw with memory of earlier meetings. If the number of rounds is known, all rounds are
drawn ahead.
"""
STANDINGS_PLAY_FORM = DriveForm(
    code="standing",
    seating_time=SeatingTime.ONE_ROUND_AHEAD,
    plan_rounds=draw_first_round,
    draw_next_round=_draw_by_standings,
    title=gettext_noop("By standings"),
    blurb=gettext_noop("Places 1–4 meet at table 1, 5–8 at table 2. First plays with fourth."),
    drawbacks=gettext_noop(
        "Needs every score before the next round. The same players meet often."
    ),
    terms={},
    has_roles=False,
)
"""A draw that fills the tables in the order of the standings."""
