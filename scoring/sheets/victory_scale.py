"""The scale of victory points, shown before play: what each margin is worth."""

from tournaments.swiss.victory_points import PAIRS, TEAMS, Scale


def scale_rows(contest: str, boards: int) -> list[tuple[int, str, str]]:
    """For each whole margin of a match the winner's points and the loser's."""
    scale = Scale(boards, TEAMS if contest == "teams" else PAIRS)
    return [(margin, f"{won:.2f}", f"{20 - won:.2f}") for margin, won in scale.table()]
