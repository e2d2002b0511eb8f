"""Deals from a secret: the published vectors, the numbering, and randomness tests."""

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

from boards.whist import PACK, InvalidSecret, Seat, deal_out
from boards.whist.dealing import (
    DEALS,
    HANDS,
    commitment,
    deal_at,
    deal_index,
    divide,
    index_of,
    make_deal,
    read_secret,
)
from boards.whist.notation import hands_text

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests/golden/boards/dealing_vectors.json").read_text("utf-8"))
SECRET = bytes(range(32))
MANY = 100_000


@pytest.mark.parametrize("vector", VECTORS["deals"], ids=lambda vector: vector["index"][:8])
def test_a_published_vector_is_dealt_again(vector):
    secret = bytes.fromhex(vector["secret"])
    drawn = {"version": vector["version"], "public": vector["public"]}
    assert deal_index(secret, vector["board"], **drawn) == int(vector["index"])
    deal = make_deal(secret, vector["board"], **drawn)
    assert (hands_text(deal), deal.turn_up.code) == (vector["deal"], vector["turn_up"])
    assert deal.dealer == vector["dealer"]


@pytest.mark.parametrize("vector", VECTORS["ends"])
def test_both_ends_of_the_numbering_are_as_published(vector):
    deal = deal_at(int(vector["index"]), Seat(vector["dealer"]))
    assert (hands_text(deal), deal.turn_up.code) == (vector["deal"], vector["turn_up"])


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_a_commitment_is_as_published(vector):
    vector = dict(vector)
    secret, promised = bytes.fromhex(vector.pop("secret")), vector.pop("commitment")
    assert commitment(secret, **vector) == promised


def test_the_page_about_dealing_shows_the_published_vectors():
    page = (ROOT / "docs/dealing.md").read_text("utf-8")
    for vector in VECTORS["deals"]:
        assert vector["index"] in page
        assert vector["deal"] in page
    for vector in VECTORS["commitments"]:
        assert vector["commitment"] in page


@given(
    st.integers(0, 10_000) | st.integers(DEALS - 10_000, DEALS - 1) | st.integers(0, DEALS - 1),
    st.sampled_from(Seat),
)
@settings(max_examples=100)
def test_every_number_is_a_deal_and_back(index, dealer):
    assert index_of(deal_at(index, dealer)) == index


@given(st.permutations(PACK), st.sampled_from(Seat))
@settings(max_examples=50)
def test_every_deal_has_a_number_and_back(pack, dealer):
    deal = deal_out(pack, dealer)
    assert 0 <= index_of(deal) < DEALS
    assert deal_at(index_of(deal), dealer) == deal


@pytest.mark.parametrize("index", [-1, DEALS])
def test_there_is_no_deal_outside_the_numbering(index):
    with pytest.raises(ValueError, match="lies between 0 and"):
        deal_at(index, Seat.NORTH)


def test_every_deal_is_counted_once():
    assert HANDS == comb(52, 13) * comb(39, 13) * comb(26, 13) == 53644737765488792839237440000
    assert DEALS == 13 * HANDS


def test_boards_versions_secrets_and_public_values_give_streams_of_their_own():
    drawn = {
        deal_index(SECRET, 1),
        deal_index(SECRET, 2),
        deal_index(SECRET, 1, version=2),
        deal_index(SECRET, 1, public="7"),
        deal_index(bytes(32), 1),
    }
    assert len(drawn) == 5


def test_a_public_value_is_the_same_however_its_accents_are_typed():
    assert deal_index(SECRET, 1, public="Zo\u00eb") == deal_index(SECRET, 1, public="Zoe\u0308")


def test_the_dealer_goes_by_the_board_unless_named():
    assert make_deal(SECRET, 2).dealer is Seat.EAST
    named = make_deal(SECRET, 2, dealer=Seat.WEST)
    assert named.dealer is Seat.WEST
    assert named.hands == make_deal(SECRET, 2).hands


def test_a_secret_is_read_from_sixty_four_digits():
    assert read_secret(SECRET.hex()) == SECRET
    with pytest.raises(InvalidSecret, match="only the digits"):
        read_secret("xyz")
    with pytest.raises(InvalidSecret, match="this one has 2"):
        read_secret("abcd")
    with pytest.raises(InvalidSecret, match="this one has 3"):
        commitment(b"abc", first=1, size=1)


# Tests of randomness


def test_a_hundred_thousand_deals_follow_the_exact_distributions():
    faults = unlikely(deal_index(SECRET, board) for board in range(1, MANY + 1))
    assert faults == []


def test_a_generator_with_half_the_state_or_a_folded_index_is_found_out():
    few = MANY // 50
    halved = (deal_index(SECRET, board) // 2 for board in range(1, few + 1))
    assert "North holds each card" in unlikely(halved, few)
    same_turn_up = (deal_index(SECRET, board) // 13 * 13 for board in range(1, few + 1))
    assert "ranks of the turn-up" in unlikely(same_turn_up, few)
    shifted = (deal_index(SECRET, board) % (DEALS // 20) for board in range(1, few + 1))
    assert {"North holds spades", "North holds honours"} <= set(unlikely(shifted, few))


def unlikely(indexes: Iterable[int], deals: int = MANY) -> list[str]:
    """Return every count that chance would give once in a hundred million."""
    indexes = list(indexes)
    flat = itertools.chain.from_iterable(
        itertools.chain(*divide(index // 13)) for index in indexes
    )
    places = np.fromiter(flat, dtype=np.int8, count=deals * 52).reshape(deals, 4, 13)
    turned = places[np.arange(deals), np.arange(deals) % 4, [index % 13 for index in indexes]]
    uniform = np.ones(52) / 52
    found = [
        _chance("cards turned up", np.bincount(turned, minlength=52), uniform),
        _chance(
            "ranks of the turn-up", np.bincount(turned % 13, minlength=13), uniform[:13] * 4
        ),
        _chance(
            "suits of the turn-up", np.bincount(turned // 13, minlength=4), uniform[:4] * 13
        ),
    ]
    for seat, hands in zip(Seat, places.swapaxes(0, 1), strict=True):
        for suit, word in enumerate(("spades", "hearts", "diamonds", "clubs")):
            lengths = np.bincount((hands // 13 == suit).sum(axis=1), minlength=14)
            found.append(_chance(f"{seat.word} holds {word}", lengths, _drawn(13)))
        honours = np.bincount((hands % 13 < 4).sum(axis=1), minlength=14)
        found.append(_chance(f"{seat.word} holds honours", honours, _drawn(16)))
        # A hand's thirteen cards differ, so their counts vary by 39/51 of independent draws.
        each = np.bincount(hands.ravel(), minlength=52)
        found.append(_chance(f"{seat.word} holds each card", each, uniform, spread=39 / 51))
    return [name for name, probability in found if probability < 1e-8]


def _drawn(kind: int) -> np.ndarray:
    """Return the chances that a hand of 13 has 0, 1, ... 13 of a kind of card."""
    return np.array([comb(kind, n) * comb(52 - kind, 13 - n) / comb(52, 13) for n in range(14)])


def _chance(name: str, counts: np.ndarray, expected: np.ndarray, spread: float = 1.0):
    """Return the probability of counts at least this far from expected, by chi-square.

    Rare values are pooled until each is expected ten times; Wilson and Hilferty's approximation
    turns the sum into a probability.
    """
    total, often = counts.sum(), expected * counts.sum() >= 10
    seen = np.append(counts[often], counts[~often].sum())
    awaited = np.append(expected[often], expected[~often].sum()) * total
    if awaited[-1] < 10:
        seen, awaited = _merge_last(seen), _merge_last(awaited)
    chi2 = float(((seen - awaited) ** 2 / awaited).sum()) / spread
    free = len(seen) - 1
    normal = ((chi2 / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    return name, 1 - NormalDist().cdf(normal)


def _merge_last(values: np.ndarray) -> np.ndarray:
    return np.append(values[:-2], values[-2:].sum())
