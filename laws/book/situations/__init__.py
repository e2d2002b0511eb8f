"""The 52 situations in which a director is called, grouped by the moment of play.

Each has the offence, its law, the remedy, the enforcer, the time limit, and the effect on the
score. Source: rules I1-I52, after the Laws of Duplicate Whist.
"""

from laws.book.situation import Moment, Situation
from laws.book.situations.cards import DEALING, HANDS, TRUMP
from laws.book.situations.play import COUNTING, LEADS, SEEN_CARDS
from laws.book.situations.rights import DEMANDS, PERMITTED, REVOKES

SITUATIONS_BY_MOMENT: dict[Moment, tuple[Situation, ...]] = {
    Moment.DEALING: DEALING,
    Moment.TRUMP: TRUMP,
    Moment.HANDS: HANDS,
    Moment.SEEN: SEEN_CARDS,
    Moment.LEADS: LEADS,
    Moment.REVOKES: REVOKES,
    Moment.DEMANDS: DEMANDS,
    Moment.COUNTING: COUNTING,
    Moment.PERMITTED: PERMITTED,
}
SITUATIONS: dict[str, Situation] = {
    situation.code: situation
    for situation in sorted(
        (situation for group in SITUATIONS_BY_MOMENT.values() for situation in group),
        key=lambda situation: situation.number,
    )
}
"""All situations by code, from I1 to I52."""


FREQUENT_SITUATIONS = tuple(
    sorted(
        (situation for situation in SITUATIONS.values() if situation.frequency_rank),
        key=lambda situation: situation.frequency_rank,
    )
)
"""The most frequent situations, the most frequent one first."""
