"""The 52 situations in which a director is called, grouped by the moment of play.

Each has the offence, its law, the remedy, the enforcer, the time limit, and the effect on the
score. Source: rules I1-I52, after the Laws of Duplicate Whist.
"""

from laws.book.situation import IncidentMoment, Situation
from laws.book.situations.cards import DEALING_SITUATIONS, HAND_SITUATIONS, TRUMP_SITUATIONS
from laws.book.situations.play import (
    HANDLING_CARD_SITUATIONS,
    LEAD_SITUATIONS,
    SEEN_CARD_SITUATIONS,
)
from laws.book.situations.rights import (
    DEMAND_SITUATIONS,
    PERMITTED_SITUATIONS,
    REVOKE_SITUATIONS,
)

SITUATIONS_BY_MOMENT: dict[IncidentMoment, tuple[Situation, ...]] = {
    IncidentMoment.DEALING: DEALING_SITUATIONS,
    IncidentMoment.TRUMP: TRUMP_SITUATIONS,
    IncidentMoment.HANDS: HAND_SITUATIONS,
    IncidentMoment.SEEN_CARDS: SEEN_CARD_SITUATIONS,
    IncidentMoment.LEADS: LEAD_SITUATIONS,
    IncidentMoment.REVOKES: REVOKE_SITUATIONS,
    IncidentMoment.DEMANDS: DEMAND_SITUATIONS,
    IncidentMoment.HANDLING_CARDS: HANDLING_CARD_SITUATIONS,
    IncidentMoment.PERMITTED_ACTIONS: PERMITTED_SITUATIONS,
}
SITUATIONS_BY_CODE: dict[str, Situation] = {
    situation.code: situation
    for situation in sorted(
        (
            situation
            for situation_group in SITUATIONS_BY_MOMENT.values()
            for situation in situation_group
        ),
        key=lambda situation: situation.number,
    )
}
"""All situations by code, from I1 to I52."""


FREQUENT_SITUATIONS = tuple(
    sorted(
        (situation for situation in SITUATIONS_BY_CODE.values() if situation.frequency_rank),
        key=lambda situation: situation.frequency_rank,
    )
)
"""The most frequent situations, the most frequent one first."""
