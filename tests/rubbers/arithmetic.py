"""The scorer's arithmetic, written independently: whole numbers and plain ifs.

A side is 0 or 1. Every function takes the two scores at which the hand was dealt, the tricks of
side 0, the honours of each, and the penalties that each side suffers; it returns both scores
before they return to love, and the winner or None.
"""


def score_short_whist(scores, tricks, honours, penalties, *, cancels_revokes=False):
    """Score five points by Pole, or by the English code of 1900 if `cancels_revokes`."""
    guilty = [bool(penalties[0]), bool(penalties[1])]
    if cancels_revokes and all(guilty):
        cancelled_booking_count = min(len(penalties[0]), len(penalties[1]))
        penalties = [
            penalties[0][cancelled_booking_count:],
            penalties[1][cancelled_booking_count:],
        ]
    return add_game_points(
        scores,
        tricks,
        honours,
        penalties,
        guilty,
        game=5,
        tricks_per_penalty=3,
        honours_limit=4,
    )


def score_long_whist(scores, tricks, honours, suffered):
    """Score ten points; a revoke gives the others three, and no honours count from nine."""
    guilty = [bool(suffered[0]), bool(suffered[1])]
    return add_game_points(
        scores,
        tricks,
        honours,
        suffered,
        guilty,
        game=10,
        tricks_per_penalty=3,
        honours_limit=9,
    )


def score_league_whist(scores, tricks, suffered):
    """Score seven points by tricks only; penalised losers keep the tricks that they made."""
    guilty = [bool(suffered[0]), bool(suffered[1])]
    tricks_made = [tricks, 13 - tricks]
    lost_tricks = [min(tricks_made[side], 2 * len(suffered[side])) for side in (0, 1)]
    adjusted_tricks = [
        tricks_made[0] - lost_tricks[0] + lost_tricks[1],
        tricks_made[1] - lost_tricks[1] + lost_tricks[0],
    ]
    new_scores, winner = list(scores), None
    for side in (0, 1):
        new_scores[side] += max(0, adjusted_tricks[side] - 6)
        if new_scores[side] >= 7:
            new_scores[side] = 6 if guilty[side] else 7
            winner = None if guilty[side] else side
    if winner is not None and guilty[1 - winner]:
        new_scores[1 - winner] = min(
            6, scores[1 - winner] + max(0, tricks_made[1 - winner] - 6)
        )
    return new_scores[0], new_scores[1], winner


def add_game_points(
    scores, tricks, honours, suffered, guilty, *, game, tricks_per_penalty, honours_limit
):
    made = [tricks, 13 - tricks]
    off = [
        min(made[side], tricks_per_penalty * suffered[side].count("tricks")) for side in (0, 1)
    ]
    after = [made[0] - off[0] + off[1], made[1] - off[1] + off[0]]
    games = [game - 1 if guilty[side] else game for side in (0, 1)]
    new = [max(0, scores[side] - 3 * suffered[side].count("minus")) for side in (0, 1)]
    for points_by_side in (
        [3 * suffered[1].count("plus"), 3 * suffered[0].count("plus")],
        [max(0, after[0] - 6), max(0, after[1] - 6)],
        [compute_honours(scores[side], honours[side], honours_limit) for side in (0, 1)],
    ):
        new = [min(games[side], new[side] + points_by_side[side]) for side in (0, 1)]
        for side in (0, 1):
            if new[side] == game:
                return new[0], new[1], side
    return new[0], new[1], None


def compute_honours(score, held_honours, bar):
    if score >= bar or held_honours < 3:
        return 0
    return 4 if held_honours == 4 else 2
