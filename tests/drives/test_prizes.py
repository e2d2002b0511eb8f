"""Prizes are awarded down the list, each with a true reason."""

import hashlib
import hmac
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from drives.prizes.awards import (
    AwardTerms,
    PrizeAward,
    award_prizes,
    build_award_terms,
    list_candidates,
)
from drives.prizes.lot import compute_commitment, compute_ticket, order_players_by_lot
from drives.prizes.prize import Candidate, PrizeLine, PrizeTieRule
from drives.scores.attendance import AttendedRounds
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import ScoreKind, Scoring
from drives.scores.sheets import PlayedRound, Stars, TableScore, Tally, compute_tallies

DOCUMENT_PATH = Path(__file__).resolve().parents[2] / "docs" / "drives.md"
SECRET = bytes.fromhex("c0ffee")


def build_candidate(number: int, *made: int, role: str | None = None, **more) -> Candidate:
    tally = Tally(
        points_by_round={n: Fraction(m) for n, m in enumerate(made, start=1)},
        rounds_won=sum(m > 6 for m in made),
        extra_points=more.pop("extras", 0),
        rest_count=0,
        points_by_card_part={},
    )
    data = {"club_name": None, "fort_name": None, "is_present": True} | more
    rounds = range(1, len(made) + 1)
    return Candidate(number=number, tally=tally, role=role, round_numbers=rounds, **data)


def build_prize_line(measure: str, **more) -> PrizeLine:
    data = {"words": "A ham", "field": "all", "count": 1, "ties": PrizeTieRule.SHARE} | more
    return PrizeLine(measure=measure, **data)


def award_to_runners(
    *prizes: PrizeLine, candidates, has_one_prize_each: bool = True, secret: bytes = SECRET
) -> list[PrizeAward]:
    terms = AwardTerms(
        has_one_prize_each=has_one_prize_each, round_count=2, drive_name="Friday", secret=secret
    )
    return award_prizes(prizes, candidates, terms)


CANDIDATES = [
    build_candidate(1, 9, 8, role="first"),
    build_candidate(2, 9, 8, role="second"),
    build_candidate(3, 10, 5, role="first", club_name="Oak"),
    build_candidate(4, 2, 3, role="second", extras=20),
    build_candidate(5, 1, role="first", is_present=False),
]


def list_winners(awards: list[PrizeAward]) -> list[tuple[int, int | str | None]]:
    return [(award.prize_number, award.player_number) for award in awards]


def test_prize_goes_to_the_next_best_player_if_the_best_already_has_one() -> None:
    awards = award_to_runners(
        build_prize_line("total-high"),
        build_prize_line("total-high", field="first"),
        candidates=CANDIDATES,
    )
    assert list_winners(awards) == [(1, 1), (1, 2), (2, 3)]
    assert "shared by 2" in awards[0].reason
    assert awards[2].reason.endswith(". 1 is ahead but already has a prize.")
    awards_without_limit = award_to_runners(
        build_prize_line("total-high"),
        build_prize_line("total-high", field="first"),
        candidates=CANDIDATES,
        has_one_prize_each=False,
    )
    assert list_winners(awards_without_limit) == [(1, 1), (1, 2), (2, 1)]


def test_each_measure_finds_its_best_player() -> None:
    def list_best_numbers(measure: str, **more) -> list:
        return [
            number
            for _prize, number in list_winners(
                award_to_runners(build_prize_line(measure, **more), candidates=CANDIDATES)
            )
        ]

    assert list_best_numbers("total-low") == [4]  # player 5 did not play all rounds
    assert list_best_numbers("first-half") == list_best_numbers("round") == [3]
    assert list_best_numbers("last-half") == list_best_numbers("rounds-won") == [1, 2]
    assert list_best_numbers("round", round=2) == [1, 2]
    assert list_best_numbers("rounds-won", least=10) == [3]
    assert list_best_numbers("most-extras") == [4]
    assert list_best_numbers("everybody") == [1, 2, 3, 4, 5]
    assert list_best_numbers("total-high", field="club:Oak") == [3]
    assert list_best_numbers("total-high", places=(1, 3, 4)) == [1, 2, 3, 4]
    assert list_best_numbers("total-high", then=("first-half",), count=3) == [1, 2, 3]
    assert list_best_numbers("raffle", count=5) == sorted(
        list_best_numbers("raffle", count=5),
        key=lambda n: compute_ticket(SECRET, "Friday", 1, n),
    )
    assert 5 not in list_best_numbers("raffle", count=5)


@pytest.mark.parametrize(
    ("field", "winners"),
    [
        ("all", [1, 3]),
        ("first", [1]),
        ("second", [3]),
        ("club:Oak", [3]),
        ("fort:North", [2, 4]),
        ("fort:South", [1]),
        ("fort:Oak", []),
    ],
)
def test_prize_of_a_group_goes_to_its_best_players(field: str, winners: list[int]) -> None:
    """Players 1 and 3 made 8 tricks against 2 and 4."""
    whole = AttendedRounds()
    scores = DriveScores(
        competitor_by_number={
            1: Competitor(whole, role="first", fort_name="South"),
            2: Competitor(whole, role="first", club_name="Oak", fort_name="North"),
            3: Competitor(whole, role="second", club_name="Oak"),
            4: Competitor(whole, role="second", fort_name="North"),
        },
        rounds=[PlayedRound(1, (TableScore(1, (1, 2, 3, 4), (8, 5)),))],
        cards=(),
        scoring=Scoring(kind=ScoreKind.TRICKS),
        tie_breaks=(),
        planned_round_count=1,
        has_halves=False,
        should_halve_ties=False,
    )
    terms = build_award_terms(
        scores, "Friday", SECRET, has_one_prize_each=True, format_player=str
    )
    awards = award_prizes(
        [build_prize_line("total-high", field=field)], list_candidates(scores), terms
    )
    assert [award.player_number for award in awards] == winners


def test_prize_for_everybody_goes_to_each_player_of_its_field() -> None:
    awards = award_to_runners(
        build_prize_line("everybody", field="second"), candidates=CANDIDATES
    )
    assert awards == [
        PrizeAward(1, 2, "one for everyone"),
        PrizeAward(1, 4, "one for everyone"),
    ]
    assert award_to_runners(build_prize_line("everybody"), candidates=[]) == []


def test_sit_out_counts_as_a_round_for_the_lowest_total() -> None:
    """Players 1 and 3 have one score of two rounds, but player 3 did not rest."""
    resting_candidate = build_candidate(1, 3)
    resting_candidate = replace(
        resting_candidate, tally=replace(resting_candidate.tally, rest_count=1)
    )
    runners = [resting_candidate, build_candidate(2, 9, 8), build_candidate(3, 1)]
    awards = award_to_runners(build_prize_line("total-low", count=3), candidates=runners)
    assert list_winners(awards) == [(1, 1), (1, 2)]


def test_stars_are_gold_at_table_one_green_at_the_last_and_red_elsewhere() -> None:
    rounds = [
        PlayedRound(
            1, (TableScore(1, (1, 2, 3, 4), (8, 5)), TableScore(2, (5, 6, 7, 8), (6, 7)))
        ),
        PlayedRound(
            2, (TableScore(1, (1, 6, 3, 8), (5, 8)), TableScore(2, (2, 5, 4, 7), (13, 0)))
        ),
        PlayedRound(3, (TableScore(1, (1, 2, 3, 4)), TableScore(2, (5, 6, 7, 8), (9, 9)))),
    ]
    tallies = compute_tallies(rounds, [], Scoring(kind=ScoreKind.SIDE), range(1, 9))
    assert tallies[1].stars == Stars(gold=1)
    assert tallies[2].stars == Stars(red=1)
    assert tallies[5].stars == Stars(green=2)
    assert tallies[6].stars == Stars(gold=1, red=1)
    candidates = [replace(build_candidate(n), tally=tallies[n]) for n in range(1, 9)]
    assert list_winners(
        award_to_runners(build_prize_line("stars", count=2), candidates=candidates)
    ) == [(1, 6), (1, 8)]
    assert list_winners(
        award_to_runners(build_prize_line("last-lost", count=2), candidates=candidates)
    ) == [(1, 5), (1, 7)]
    best_numbers = {
        number
        for _prize, number in list_winners(
            award_to_runners(build_prize_line("head-won"), candidates=candidates)
        )
    }
    assert best_numbers == {1, 3, 6, 8}


CANDIDATE_WITH_STARS = replace(
    build_candidate(6, 4, 4),
    tally=replace(build_candidate(6, 4, 4).tally, stars=Stars(2, 0, 1)),
)
NEGATIVE_CANDIDATES = [build_candidate(1, -5), build_candidate(2, -15)]


@pytest.mark.parametrize(
    ("line", "room", "reasons"),
    [
        (build_prize_line("total-high"), NEGATIVE_CANDIDATES, {1: "place 1, −5 points"}),
        (
            build_prize_line("total-high", count=2),
            NEGATIVE_CANDIDATES,
            {1: "place 1, −5 points", 2: "place 2, −15 points"},
        ),
        (
            build_prize_line("total-low"),
            [build_candidate(1, 7, 2), build_candidate(2, 9, 9)],
            {1: "lowest total, 9 points"},
        ),
        (
            build_prize_line("total-low", count=2),
            [build_candidate(1, -7, 2), build_candidate(2, 9, 9)],
            {1: "lowest total, −5 points", 2: "lowest total, place 2, 18 points"},
        ),
        (
            build_prize_line("total-low"),
            [build_candidate(1, 0, 0), build_candidate(2, 9, 9)],
            {1: "lowest total, 0 points"},
        ),
        (
            build_prize_line("first-half"),
            [build_candidate(1, -7, 2)],
            {1: "place 1, −7 points"},
        ),
        (build_prize_line("last-half"), [build_candidate(1, 7, -2)], {1: "place 1, −2 points"}),
        (build_prize_line("round"), [build_candidate(1, -7, -2)], {1: "place 1, −2 points"}),
        (
            build_prize_line("round", round=1),
            [build_candidate(1, -7, 2)],
            {1: "place 1, −7 points"},
        ),
        (
            build_prize_line("rounds-won"),
            CANDIDATES,
            dict.fromkeys((1, 2), "place 1, rounds won: 2, shared by 2"),
        ),
        (build_prize_line("most-extras"), CANDIDATES, {4: "place 1, extras: 20"}),
        (
            build_prize_line("stars"),
            [CANDIDATE_WITH_STARS, *CANDIDATES],
            {6: "place 1, 2 gold, 0 red, 1 green"},
        ),
        (
            build_prize_line("head-won"),
            [CANDIDATE_WITH_STARS, *CANDIDATES],
            {6: "place 1, wins at table 1: 2"},
        ),
        (
            build_prize_line("last-lost"),
            [CANDIDATE_WITH_STARS, *CANDIDATES],
            {6: "place 1, losses at the last table: 1"},
        ),
    ],
)
def test_prize_reason_states_the_score_and_not_the_sort_key(
    line: PrizeLine, room: list[Candidate], reasons: dict[int, str]
) -> None:
    awards = award_prizes(
        [line],
        room,
        AwardTerms(has_one_prize_each=True, round_count=1, drive_name="Friday", secret=SECRET),
    )
    assert {award.player_number: award.reason for award in awards} == reasons


def test_prize_for_one_round_needs_a_score_in_this_round() -> None:
    late_candidate = replace(
        build_candidate(9, 0, 13),
        tally=replace(build_candidate(9, 0).tally, points_by_round={2: Fraction(13)}),
    )
    first_round_awards = award_to_runners(
        build_prize_line("round", round=1, count=9), candidates=[*CANDIDATES, late_candidate]
    )
    assert sorted(number for _prize, number in list_winners(first_round_awards)) == [
        1,
        2,
        3,
        4,
        5,
    ]
    second = award_to_runners(
        build_prize_line("round", round=2), candidates=[*CANDIDATES, late_candidate]
    )
    assert list_winners(second) == [(1, 9)]
    assert (
        award_to_runners(
            build_prize_line("round", round=3), candidates=[*CANDIDATES, late_candidate]
        )
        == []
    )
    prize_line = build_prize_line("most-extras", then=("round",), round=1, places=(6,))
    # Here the round is a tie-break measure.
    assert list_winners(
        award_to_runners(prize_line, candidates=[*CANDIDATES, late_candidate])
    ) == [(1, 9)]


def test_tied_players_share_cut_or_draw_with_a_stated_reason() -> None:
    cut_awards = award_to_runners(
        build_prize_line("total-high", ties=PrizeTieRule.CUT), candidates=CANDIDATES
    )
    assert cut_awards == [PrizeAward(1, None, "1 and 2 are tied: cut cards", needs_cut=True)]
    assert list_winners(
        award_to_runners(
            build_prize_line("total-high", ties=PrizeTieRule.CUT, won=(2,)),
            candidates=CANDIDATES,
        )
    ) == [(1, 2)]
    lot_prize_line = build_prize_line("total-high", ties=PrizeTieRule.LOT)
    (drawn_award,) = award_to_runners(lot_prize_line, candidates=CANDIDATES)
    assert drawn_award.player_number == order_players_by_lot(SECRET, "Friday", 1, [1, 2])[0]
    assert "drawn from 2" in drawn_award.reason
    assert (
        award_to_runners(lot_prize_line, candidates=CANDIDATES, secret=b"")[0].player_number
        is None
    )


@pytest.mark.parametrize(
    ("cut_by", "winner"),
    [
        ((), 2),  # a stored cut without the players who cut
        ((1, 2), 2),
        ((1, 2, 3), 2),  # player 3 is not tied any more
        ((2,), None),
        ((2, 3), None),
    ],
)
def test_cut_counts_only_if_all_tied_players_cut(
    cut_by: tuple[int, ...], winner: int | None
) -> None:
    line = build_prize_line("total-high", ties=PrizeTieRule.CUT, won=(2,), cut_by=cut_by)
    (award,) = award_to_runners(line, candidates=CANDIDATES)
    assert (award.player_number, award.needs_cut) == (winner, winner is None)


@pytest.mark.parametrize(
    ("player_count", "names"),
    [
        (5, "1, 2, 3, 4 and 5"),
        (6, "1, 2, 3, 4, 5 and 6"),
        (7, "1, 2, 3, 4, 5, 6 and 1 more"),
        (9, "1, 2, 3, 4, 5, 6 and 3 more"),
    ],
)
def test_reason_names_at_most_six_tied_players(player_count: int, names: str) -> None:
    runners = [build_candidate(number, 9) for number in range(1, player_count + 1)]
    line = build_prize_line("total-high", ties=PrizeTieRule.CUT)
    (award,) = award_to_runners(line, candidates=runners)
    assert award.reason == f"{names} are tied: cut cards"


def test_documented_script_reproduces_the_prize_draw() -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", DOCUMENT_PATH.read_text("utf-8"), re.DOTALL)
    script_variables: dict = {}
    exec(lines.replace("print(", "drawn = (", 1), script_variables)
    assert script_variables["drawn"] == order_players_by_lot(SECRET, "Friday", 1, [3, 7, 12])[0]
    message = b"overplay-drive-lot/1\0Friday\x001\x007"
    assert (
        compute_ticket(SECRET, "Friday", 1, 7) == hmac.digest(SECRET, message, "sha256").hex()
    )
    assert (
        compute_commitment(SECRET) == hashlib.sha256(b"overplay-drive/1\0" + SECRET).hexdigest()
    )


def test_prizes_of_small_drives_agree_with_brute_force() -> None:
    """No one wins two prizes, and no player without a prize scored more than the winner."""
    rng = random.Random(7)
    for _room in range(200):
        size = rng.randint(1, 7)
        room = [
            build_candidate(
                n,
                rng.randint(0, 3),
                rng.randint(0, 3),
                role=rng.choice(["first", "second"]),
            )
            for n in range(1, size + 1)
        ]
        prizes = [
            build_prize_line(
                "total-high",
                field=rng.choice(["all", "first", "second"]),
                ties=PrizeTieRule.LOT,
            )
            for _ in range(3)
        ]
        awards = award_to_runners(*prizes, candidates=room)
        holders = [number for _prize, number in list_winners(awards)]
        assert len(holders) == len(set(holders))
        totals_by_number = {item.number: item.tally.total for item in room}
        role = {item.number: item.role for item in room}
        for index, award in enumerate(awards):
            field = prizes[award.prize_number - 1].field
            candidates_without_prize = [
                n
                for n in totals_by_number
                if n not in holders[:index] and field in ("all", role[n])
            ]
            assert totals_by_number[award.player_number] == max(
                totals_by_number[n] for n in candidates_without_prize
            )
