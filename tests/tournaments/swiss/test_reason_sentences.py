"""The exact sentences that explain small draws of a second round."""

from fractions import Fraction

import pytest

from tournaments.swiss import DrawField, DrawnRound, Entry, SeatPreference, draw_round
from tournaments.swiss.field import EarlierPairing


def draw_reasons(*scores: str, seats: str = "", **options: object) -> list[str]:
    """Return the reasons of the second round for entries 1, 2 … with these scores."""
    entries = tuple(
        Entry(number, Fraction(score), seat=SeatPreference(seats if number == 1 else ""))
        for number, score in enumerate(scores, start=1)
    )
    draw = draw_round(DrawField(entries, round_number=2, seed="x", **options))
    return [*(pairing.reason for pairing in draw.pairings), draw.sit_out_reason]


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (("12.25", "0"), "Place 1 (12.25) plays place 2 (0.00)."),
        (("0", "-3.5"), "Place 1 (0.00) plays place 2 (−3.50)."),
        (("0.01", "-0.01"), "Place 1 (0.01) plays place 2 (−0.01)."),
        (("-9.05", "-10"), "Place 1 (−9.05) plays place 2 (−10.00)."),
        (("4", "4"), "1 (4.00) plays 2 (4.00)."),
    ],
)
def test_reason_shows_both_scores_with_minus_sign_below_zero(
    scores: tuple[str, str], reason: str
) -> None:
    assert draw_reasons(*scores)[0] == f"{reason} Sides drawn at random."


@pytest.mark.parametrize(
    ("entry_kind", "sides"),
    [("pairs", "Place 1 is stationary North-South."), ("teams", "Place 1 at home.")],
)
def test_stationary_pair_sits_north_south_and_stationary_team_is_at_home(
    entry_kind: str, sides: str
) -> None:
    (reason, _sit_out) = draw_reasons("2", "1", seats="stays", kind=entry_kind)
    assert reason == f"Place 1 (2.00) plays place 2 (1.00). {sides}"


def test_reason_explains_why_closer_ranked_entries_play_others() -> None:
    # 1-2 and 3-4 have met. Squared differences: 9 + 81 for 1-3 and 2-4, 132.25 + 0.25 for 1-4
    # and 2-3.
    earlier_pairings = (EarlierPairing(1, 2), EarlierPairing(3, 4))
    assert draw_reasons(
        "10", "7.5", "7", "-1.5", earlier_rounds=(DrawnRound(1, earlier_pairings),)
    )[:2] == [
        "Place 1 (10.00) plays place 3 (7.00). Place 1 and place 2 met in round 1. "
        "Sides drawn at random.",
        "Place 2 (7.50) plays place 4 (−1.50). "
        "Place 3 plays place 1: the two matches are closer together. "
        "Sides drawn at random.",
    ]


@pytest.mark.parametrize(
    ("scores", "earlier_sit_outs", "reason"),
    [
        (
            ("2", "1", "0"),
            (),
            "Place 3 (0.00) sits out: no one is lower, and no one has sat out yet.",
        ),
        (
            ("2", "1", "0"),
            (3,),
            "Place 2 (1.00) sits out: lowest of those who haven’t yet.",
        ),
        (("2", "1"), (), ""),
    ],
)
def test_lowest_ranked_entry_without_earlier_sit_out_sits_out(
    scores: tuple[str, ...], earlier_sit_outs: tuple[int, ...], reason: str
) -> None:
    history = (DrawnRound(1, (), earlier_sit_outs),)
    assert draw_reasons(*scores, earlier_rounds=history)[-1] == reason


def test_first_round_is_explained_as_random_draw_unless_scores_differ() -> None:
    entries = (Entry(1), Entry(2), Entry(3))
    draw = draw_round(DrawField(entries, seed="x"))
    assert all("(random draw)" in r for r in (draw.pairings[0].reason, draw.sit_out_reason))
    leader = Entry(1, Fraction(5))
    draw_with_leader = draw_round(DrawField((leader, *entries[1:]), seed="x"))
    assert draw_with_leader.pairings[0].reason.startswith("Place 1 (5.00) plays ")
