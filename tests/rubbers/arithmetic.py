"""The scorer's arithmetic, written independently: whole numbers and plain ifs.

A side is 0 or 1. Every function takes the two scores at which the hand was dealt, the tricks of
side 0, the honours of each, and the penalties that each side suffers; it returns both scores
before they return to love, and the winner or None.
"""


def score_short_whist(scores, tricks, honours, suffered, *, cancel=False):
    """Score five points by Pole, or by the English code of 1900 if revokes `cancel`."""
    guilty = [bool(suffered[0]), bool(suffered[1])]
    if cancel and all(guilty):
        both = min(len(suffered[0]), len(suffered[1]))
        suffered = [suffered[0][both:], suffered[1][both:]]
    return add_game_points(
        scores, tricks, honours, suffered, guilty, game=5, tricks_off=3, bar=4
    )


def score_long_whist(scores, tricks, honours, suffered):
    """Score ten points; a revoke gives the others three, and no honours count from nine."""
    guilty = [bool(suffered[0]), bool(suffered[1])]
    return add_game_points(
        scores, tricks, honours, suffered, guilty, game=10, tricks_off=3, bar=9
    )


def score_league_whist(scores, tricks, suffered):
    """Score seven points by tricks only; penalised losers keep the tricks that they made."""
    guilty = [bool(suffered[0]), bool(suffered[1])]
    made = [tricks, 13 - tricks]
    off = [min(made[side], 2 * len(suffered[side])) for side in (0, 1)]
    after = [made[0] - off[0] + off[1], made[1] - off[1] + off[0]]
    new, winner = list(scores), None
    for side in (0, 1):
        new[side] += max(0, after[side] - 6)
        if new[side] >= 7:
            new[side] = 6 if guilty[side] else 7
            winner = None if guilty[side] else side
    if winner is not None and guilty[1 - winner]:
        new[1 - winner] = min(6, scores[1 - winner] + max(0, made[1 - winner] - 6))
    return new[0], new[1], winner


def add_game_points(scores, tricks, honours, suffered, guilty, *, game, tricks_off, bar):
    made = [tricks, 13 - tricks]
    off = [min(made[side], tricks_off * suffered[side].count("tricks")) for side in (0, 1)]
    after = [made[0] - off[0] + off[1], made[1] - off[1] + off[0]]
    games = [game - 1 if guilty[side] else game for side in (0, 1)]
    new = [max(0, scores[side] - 3 * suffered[side].count("minus")) for side in (0, 1)]
    for count in (
        [3 * suffered[1].count("plus"), 3 * suffered[0].count("plus")],
        [max(0, after[0] - 6), max(0, after[1] - 6)],
        [compute_honours(scores[side], honours[side], bar) for side in (0, 1)],
    ):
        new = [min(games[side], new[side] + count[side]) for side in (0, 1)]
        for side in (0, 1):
            if new[side] == game:
                return new[0], new[1], side
    return new[0], new[1], None


def compute_honours(score, held, bar):
    if score >= bar or held < 3:
        return 0
    return 4 if held == 4 else 2
