"""Deals from a secret match the published vectors, have an index, and look random."""

import itertools
import json
from collections.abc import Iterable
from math import comb
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import PACK, InvalidSecret, Seat, deal_pack
from boards.whist.dealing import (
    DEAL_COUNT,
    PACK_DIVISION_COUNT,
    compute_commitment,
    compute_deal_index,
    deal_board,
    divide_pack,
    draw_deal_index,
    get_deal,
    parse_secret,
)
from boards.whist.notation import format_hands

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests/golden/boards/dealing_vectors.json").read_text("utf-8"))
SECRET = bytes(range(32))
TESTED_DEAL_COUNT = 100_000


@pytest.mark.parametrize("vector", VECTORS["deals"], ids=lambda vector: vector["index"][:8])
def test_published_vector_is_reproduced(vector):
    secret = bytes.fromhex(vector["secret"])
    options = {"version": vector["version"], "public_value": vector["public"]}
    assert draw_deal_index(secret, vector["board"], **options) == int(vector["index"])
    deal = deal_board(secret, vector["board"], **options)
    assert (format_hands(deal), deal.turn_up.code) == (vector["deal"], vector["turn_up"])
    assert deal.dealer == vector["dealer"]


@pytest.mark.parametrize("vector", VECTORS["ends"])
def test_first_and_last_deal_of_the_numbering_are_as_published(vector):
    deal = get_deal(int(vector["index"]), Seat(vector["dealer"]))
    assert (format_hands(deal), deal.turn_up.code) == (vector["deal"], vector["turn_up"])


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitment_is_as_published(vector):
    vector = dict(vector)
    secret, expected_commitment = bytes.fromhex(vector.pop("secret")), vector.pop("commitment")
    vector["first_number"] = vector.pop("first")
    vector["should_use_public_value"] = vector.pop("awaits_public")
    assert compute_commitment(secret, **vector) == expected_commitment


def test_documentation_shows_the_published_vectors():
    page = (ROOT / "docs/dealing.md").read_text("utf-8")
    for vector in VECTORS["deals"]:
        assert vector["index"] in page
        assert vector["deal"] in page
    for vector in VECTORS["commitments"]:
        assert vector["commitment"] in page


@given(
    st.integers(0, 10_000)
    | st.integers(DEAL_COUNT - 10_000, DEAL_COUNT - 1)
    | st.integers(0, DEAL_COUNT - 1),
    st.sampled_from(Seat),
)
@settings(max_examples=100)
def test_index_survives_conversion_to_a_deal_and_back(index, dealer):
    assert compute_deal_index(get_deal(index, dealer)) == index


@given(st.permutations(PACK), st.sampled_from(Seat))
@settings(max_examples=50)
def test_deal_survives_conversion_to_an_index_and_back(pack, dealer):
    deal = deal_pack(pack, dealer)
    assert 0 <= compute_deal_index(deal) < DEAL_COUNT
    assert get_deal(compute_deal_index(deal), dealer) == deal


@pytest.mark.parametrize("index", [-1, DEAL_COUNT])
def test_index_outside_the_numbering_is_refused(index):
    with pytest.raises(ValueError, match="lies between 0 and"):
        get_deal(index, Seat.NORTH)


def test_deal_count_is_the_number_of_possible_deals():
    assert (
        PACK_DIVISION_COUNT
        == comb(52, 13) * comb(39, 13) * comb(26, 13)
        == 53644737765488792839237440000
    )
    assert DEAL_COUNT == 13 * PACK_DIVISION_COUNT


def test_each_board_version_secret_and_public_value_gives_its_own_deal():
    deal_indexes = {
        draw_deal_index(SECRET, 1),
        draw_deal_index(SECRET, 2),
        draw_deal_index(SECRET, 1, version=2),
        draw_deal_index(SECRET, 1, public_value="7"),
        draw_deal_index(bytes(32), 1),
    }
    assert len(deal_indexes) == 5


def test_public_value_is_the_same_in_every_unicode_normalization():
    assert draw_deal_index(SECRET, 1, public_value="Zo\u00eb") == draw_deal_index(
        SECRET, 1, public_value="Zoe\u0308"
    )


def test_dealer_follows_the_board_number_unless_given():
    assert deal_board(SECRET, 2).dealer is Seat.EAST
    board = deal_board(SECRET, 2, dealer=Seat.WEST)
    assert board.dealer is Seat.WEST
    assert board.hands == deal_board(SECRET, 2).hands


def test_secret_is_read_from_64_digits():
    assert parse_secret(SECRET.hex()) == SECRET
    with pytest.raises(InvalidSecret, match="only contain the digits"):
        parse_secret("xyz")
    with pytest.raises(InvalidSecret, match=r"digits\), not 2"):
        parse_secret("abcd")
    with pytest.raises(InvalidSecret, match=r"digits\), not 3"):
        compute_commitment(b"abc", first_number=1, size=1)


# These are the tests of randomness.


def test_hundred_thousand_deals_follow_the_exact_distributions():
    unlikely_counts = find_unlikely_counts(
        draw_deal_index(SECRET, board) for board in range(1, TESTED_DEAL_COUNT + 1)
    )
    assert unlikely_counts == []


def test_defective_generators_are_detected():
    deal_count = TESTED_DEAL_COUNT // 50
    halved_indexes = (draw_deal_index(SECRET, board) // 2 for board in range(1, deal_count + 1))
    assert "North holds each card" in find_unlikely_counts(halved_indexes, deal_count)
    same_turn_up_indexes = (
        draw_deal_index(SECRET, board) // 13 * 13 for board in range(1, deal_count + 1)
    )
    assert "ranks of the turn-up" in find_unlikely_counts(same_turn_up_indexes, deal_count)
    low_indexes = (
        draw_deal_index(SECRET, board) % (DEAL_COUNT // 20)
        for board in range(1, deal_count + 1)
    )
    assert {"North holds spades", "North holds honours"} <= set(
        find_unlikely_counts(low_indexes, deal_count)
    )


def find_unlikely_counts(indexes: Iterable[int], deals: int = TESTED_DEAL_COUNT) -> list[str]:
    """Return every count that chance would give once in a hundred million."""
    indexes = list(indexes)
    flat_cards = itertools.chain.from_iterable(
        itertools.chain(*divide_pack(index // 13)) for index in indexes
    )
    places = np.fromiter(flat_cards, dtype=np.int8, count=deals * 52).reshape(deals, 4, 13)
    place = places[np.arange(deals), np.arange(deals) % 4, [index % 13 for index in indexes]]
    uniform_chances = np.ones(52) / 52
    chances = [
        compute_chance("cards turned up", np.bincount(place, minlength=52), uniform_chances),
        compute_chance(
            "ranks of the turn-up",
            np.bincount(place % 13, minlength=13),
            uniform_chances[:13] * 4,
        ),
        compute_chance(
            "suits of the turn-up",
            np.bincount(place // 13, minlength=4),
            uniform_chances[:4] * 13,
        ),
    ]
    for seat, hands in zip(Seat, places.swapaxes(0, 1), strict=True):
        for suit, word in enumerate(("spades", "hearts", "diamonds", "clubs")):
            suit_length_counts = np.bincount((hands // 13 == suit).sum(axis=1), minlength=14)
            chances.append(
                compute_chance(
                    f"{seat.word} holds {word}", suit_length_counts, compute_hand_chances(13)
                )
            )
        honour_counts = np.bincount((hands % 13 < 4).sum(axis=1), minlength=14)
        chances.append(
            compute_chance(
                f"{seat.word} holds honours", honour_counts, compute_hand_chances(16)
            )
        )
        # A hand's thirteen cards differ, so their counts vary by 39/51 of independent draws.
        card_counts = np.bincount(hands.ravel(), minlength=52)
        chances.append(
            compute_chance(
                f"{seat.word} holds each card",
                card_counts,
                uniform_chances,
                variance_factor=39 / 51,
            )
        )
    return [name for name, probability in chances if probability < 1e-8]


def compute_hand_chances(kind_size: int) -> np.ndarray:
    """Return the chances that a hand of 13 has 0, 1, ... 13 of a kind of card."""
    return np.array(
        [comb(kind_size, n) * comb(52 - kind_size, 13 - n) / comb(52, 13) for n in range(14)]
    )


def compute_chance(
    name: str, counts: np.ndarray, expected: np.ndarray, variance_factor: float = 1.0
):
    """Return the probability of counts at least this far from expected, by chi-square.

    Rare values are pooled until each is expected ten times; Wilson and Hilferty's approximation
    turns the sum into a probability.
    """
    total, is_frequent = counts.sum(), expected * counts.sum() >= 10
    pooled_counts = np.append(counts[is_frequent], counts[~is_frequent].sum())
    expected_counts = np.append(expected[is_frequent], expected[~is_frequent].sum()) * total
    if expected_counts[-1] < 10:
        pooled_counts, expected_counts = (
            _merge_last_two(pooled_counts),
            _merge_last_two(expected_counts),
        )
    chi2 = (
        float(((pooled_counts - expected_counts) ** 2 / expected_counts).sum())
        / variance_factor
    )
    degrees_of_freedom = len(pooled_counts) - 1
    normal_deviate = (
        (chi2 / degrees_of_freedom) ** (1 / 3) - (1 - 2 / (9 * degrees_of_freedom))
    ) / (2 / (9 * degrees_of_freedom)) ** 0.5
    return name, 1 - NormalDist().cdf(normal_deviate)


def _merge_last_two(values: np.ndarray) -> np.ndarray:
    return np.append(values[:-2], values[-2:].sum())
