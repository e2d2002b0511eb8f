"""The 31 situations in which a director is called, grouped by the moment of play.

Each says the offence, its law, the remedy, who may enforce it, when the right to it is lost,
and what becomes of the score. Source: rules I1-I31, after the Laws of Duplicate Whist.
"""

from laws.book.situation import Moment, Situation
from laws.book.situations_before import DEALING, HANDS, TRUMP
from laws.book.situations_in_play import DEMANDS, LEADS, REVOKES, SEEN

GROUPS: dict[Moment, tuple[Situation, ...]] = {
    Moment.DEALING: DEALING,
    Moment.TRUMP: TRUMP,
    Moment.HANDS: HANDS,
    Moment.SEEN: SEEN,
    Moment.LEADS: LEADS,
    Moment.REVOKES: REVOKES,
    Moment.DEMANDS: DEMANDS,
}
SITUATIONS: dict[str, Situation] = {
    each.code: each
    for each in sorted(
        (one for group in GROUPS.values() for one in group), key=lambda it: it.number
    )
}
"""Every situation by its code, from I1 to I31."""

OFTEN = tuple(SITUATIONS[code] for code in ("I26", "I11", "I15", "I20", "I19", "I10"))
"""What a director is called for most: a revoke, a fouled board, a card shown, a lead out of
turn, a slip and a turned trump that differ."""
