"""Simulate numbers of tricks from best play, the skill of both sides, and random errors."""

from fractions import Fraction

from boards.whist import Deal, Rank, Seat, Side
from hall.rehearsal.script.random_draws import draw_fraction, draw_weighted_key
from hall.rehearsal.script.tables import TableSitting

TRICKS_PER_DEAL = 13
COURT_CARD_POINTS = {Rank.ACE: 4, Rank.KING: 3, Rank.QUEEN: 2, Rank.JACK: 1}

SMALL_ERROR_WEIGHTS = {-1: 12, 0: 75, 1: 13}
USUAL_ERROR_WEIGHTS = {-3: 1, -2: 7, -1: 22, 0: 40, 1: 22, 2: 7, 3: 1}
LARGE_ERROR_WEIGHTS = {-4: 1, -3: 3, -2: 12, -1: 21, 0: 26, 1: 21, 2: 12, 3: 3, 4: 1}
DEAL_KIND_WEIGHTS = {0: 25, 1: 60, 2: 15}
"""The percentages of deals on which the tables' results agree, differ, or differ widely."""
ERROR_WEIGHTS = (SMALL_ERROR_WEIGHTS, USUAL_ERROR_WEIGHTS, LARGE_ERROR_WEIGHTS)
"""For each kind of deal, the percentage of each random error, in tricks."""
TRICK_WEIGHTS = {2: 2, 3: 5, 4: 9, 5: 14, 6: 20, 7: 20, 8: 14, 9: 9, 10: 5, 11: 2}
"""The percentage of deals with each number of North-South's tricks, if cards are unknown."""


def simulate_ns_tricks(
    random_seed: str, sitting: TableSitting, board_number: int, mean_tricks: Fraction | None
) -> int:
    """Return North-South's simulated tricks on a board at a table, from 0 to 13.

    `mean_tricks` is North-South's tricks with best play. If it is None, a value is drawn that
    is the same at all tables.
    """
    if mean_tricks is None:
        mean_tricks = Fraction(
            draw_weighted_key(TRICK_WEIGHTS, random_seed, "worth", board_number)
        )
    skill_difference = _compute_mean_skill(
        random_seed, sitting.ns_entries
    ) - _compute_mean_skill(random_seed, sitting.ew_entries)
    deal_kind = draw_weighted_key(DEAL_KIND_WEIGHTS, random_seed, "kind", board_number)
    tricks_deviation = draw_weighted_key(
        ERROR_WEIGHTS[deal_kind], random_seed, "error", *sitting.table_key, board_number
    )
    unrounded_tricks = mean_tricks + skill_difference / 4 + tricks_deviation
    rounded_tricks = (
        int(
            unrounded_tricks
            + draw_fraction(random_seed, "rounding", *sitting.table_key, board_number)
        )
        if unrounded_tricks > 0
        else 0
    )
    return min(rounded_tricks, TRICKS_PER_DEAL)


def generate_skill(random_seed: str, entry_number: int) -> Fraction:
    """Return the skill of an entry from -1 to 1.

    The best entry takes half a trick more than the weakest when they meet.
    """
    return draw_fraction(random_seed, "strength", entry_number) * 2 - 1


def estimate_tricks(deal: Deal) -> Fraction:
    """Estimate North-South's tricks on a deal from its court cards and trumps.

    The estimate is used for deals without a double-dummy analysis. Court cards count as in
    bridge, with forty points in a pack. The weights are a rough choice.
    """
    ns_cards = [card for seat in Seat if seat.side is Side.NS for card in deal.hands[seat]]
    court_card_points = sum(COURT_CARD_POINTS.get(card.rank, 0) for card in ns_cards)
    estimated_tricks = Fraction(13, 2) + Fraction(11, 50) * (court_card_points - 20)
    if deal.trumps is not None:  # declared trumps are not known before play
        trump_count = sum(card.suit is deal.trumps for card in ns_cards)
        estimated_tricks += Fraction(1, 2) * (trump_count - Fraction(13, 2))
    return max(Fraction(), min(Fraction(TRICKS_PER_DEAL), estimated_tricks))


def _compute_mean_skill(random_seed: str, entry_numbers: tuple[int, ...]) -> Fraction:
    return sum(
        (generate_skill(random_seed, entry_number) for entry_number in entry_numbers),
        Fraction(),
    ) / max(len(entry_numbers), 1)
