"""The texts of a row in the hand grid are read as a hand, and formatted from it."""

import random
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from drives.errors import InvalidHand, UnreadableDrive
from drives.games import GAMES_BY_CODE
from drives.games.contracts import TrickGoal, replace_local_names_by_titles
from drives.games.hand_rows import RowTexts, format_row, read_row
from drives.games.house import build_points_table, build_points_table_data
from drives.games.reading import build_hand_data, parse_hand, read_hand
from server.json_reader.problems import JsonPath, Problems
from tests.drives.games.random_hands import make_hand, make_house_rules

COLOUR_WHIST_TABLE = GAMES_BY_CODE["colour-whist"].points_table


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_random_hands_are_unchanged_by_formatting_and_reading(code: str) -> None:
    rng = random.Random(39)
    for _house in range(20):
        table = build_points_table(GAMES_BY_CODE[code], None, make_house_rules(rng, code))
        for _hand in range(50):
            hand = make_hand(rng, build_points_table_data(table))
            if rng.random() < 0.2:
                hand["fines"] = [{"by": rng.randint(1, 4), "each": 5, "why": "revoke"}]
            hand_data = build_hand_data(parse_hand(hand, table).hand)
            parsed_row = read_row(table, format_row(table, hand_data, ()))
            assert (parsed_row.score, parse_hand(parsed_row.contract, table).hand) == (
                [],
                parse_hand(hand_data, table).hand,
            )


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_drive_files_accept_every_key_of_a_hand(code: str) -> None:
    """A file may have unknown keys, so its reader lists the known ones itself."""
    rng, used_keys = random.Random(40), set()
    for _house in range(20):
        table = build_points_table(GAMES_BY_CODE[code], None, make_house_rules(rng, code))
        for _hand in range(50):
            hand = make_hand(rng, build_points_table_data(table)) | {
                "fines": [{"by": 1, "each": 5}]
            }
            used_keys |= hand.keys()
            problems = Problems(UnreadableDrive, should_ignore_unknown_keys=True)
            settlement = read_hand(hand, JsonPath("hand", problems), table)
            assert (list(problems), settlement) == ([], parse_hand(hand, table))
    assert {"passed", "times", "revokes", "fines", "tricks", "made"} <= used_keys


def read(contract: str = "", players: str = "", tricks: str = "", **more: str) -> Any:
    return read_row(COLOUR_WHIST_TABLE, RowTexts(contract, players, tricks, **more))


@pytest.mark.parametrize(
    ("texts", "hand"),
    [
        (("t8", "13", "9"), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("T8", "1 3", " 9 "), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("together-8", "1,3", "9"), {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        (("om", "2", "+"), {"contract": "open-misere", "by": [2], "made": [True]}),
        (("o", "2", "−"), {"contract": "open-misere", "by": [2], "made": [False]}),
        (("gm", "12", "+-"), {"contract": "grand-misere", "by": [1, 2], "made": [True, False]}),
        (("gm", "12", "0 1"), {"contract": "grand-misere", "by": [1, 2], "tricks": [0, 1]}),
        (("ss", "4", "-"), {"contract": "slam", "by": [4], "made": False}),
        (("t8", "13", "9 4"), {"contract": "together-8", "by": [1, 3], "tricks": [9, 4]}),
        (("", "", ""), {}),
    ],
)  # fmt: skip
def test_texts_are_read_as_a_hand(texts: tuple[str, str, str], hand: dict[str, Any]) -> None:
    assert read(*texts).contract == hand


def test_passed_deals_doubling_revokes_fines_and_scores_are_read() -> None:
    row = read("t8", "13", "9", passed="2", other="x2; r; f4:5 revoke; f 1 3")
    assert row.contract == {
        "times": 2,
        "revokes": 1,
        "fines": [{"by": 4, "each": 5, "why": "revoke"}, {"by": 1, "each": 3}],
        "passed": 2,
        "contract": "together-8",
        "by": [1, 3],
        "tricks": 9,
    }
    assert read(scores="3 −1 -1 / -1") == ({}, [3, -1, -1, -1])


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_hand_that_everyone_passed_scores_nothing(code: str) -> None:
    assert read_row(GAMES_BY_CODE[code].points_table, RowTexts(" 0 ")) == ({}, [0, 0, 0, 0])
    assert read(scores="0, 0, 0, 0") == ({}, [0, 0, 0, 0])
    assert read(other="f4:5").contract == {"fines": [{"by": 4, "each": 5}]}


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (
            {"contract": "t1", "players": "13", "tricks": "9"},
            "contract",
        ),  # ambiguous: t10 to t13
        ({"contract": "zz"}, "contract"),
        ({"contract": "0", "players": "1"}, "contract"),
        ({"contract": "0", "passed": "1"}, "contract"),
        ({"players": "13"}, "contract"),
        ({"tricks": "9"}, "contract"),
        ({"contract": "t8", "players": "A C", "tricks": "9"}, "players"),
        ({"contract": "t8", "players": "¹³", "tricks": "9"}, "players"),
        ({"contract": "t8", "players": "13", "tricks": "nine"}, "tricks"),
        ({"contract": "t8", "players": "13", "tricks": "999"}, "tricks"),
        ({"contract": "t8", "players": "13", "tricks": "8.5"}, "tricks"),
        ({"contract": "t8", "passed": "-1"}, "passed"),
        ({"contract": "t8", "other": "doubled"}, "other"),
        ({"contract": "t8", "other": "f5:3"}, "other"),
        ({"contract": "t8", "scores": "1 1 -1 -1"}, "scores"),
        ({"scores": "1 1 -1"}, "scores"),
        ({"scores": "1 1 -1 x"}, "scores"),
        ({"scores": "9999999 1 -1 1"}, "scores"),
    ],
)
def test_error_of_unreadable_texts_names_the_box(texts: dict[str, str], place: str) -> None:
    with pytest.raises(InvalidHand) as exc_info:
        read(**texts)
    assert exc_info.value.invalid_key == place
    assert exc_info.value.detail


@pytest.mark.parametrize(
    ("game", "typed", "code"),
    [
        ("wiezen", "vragen en meegaan", "together-8"),
        ("wiezen", "Vra", "together-8"),
        ("wiezen", "vragenenmeegaan", "together-8"),
        ("wiezen", "alleen", "alone-5"),
        ("wiezen", "miserie", "misere"),  # the whole name of one, and the beginning of another
        ("wiezen", "misérie op", "open-misere"),
        ("wiezen", "troel", "troel"),
        ("wiezen", "Troela", "troel-9"),
        ("wiezen", "solo", "solo"),
        ("wiezen", "solo s", "slam"),
        ("wiezen", "m", "misere"),  # the beginning of one key, and of two names
        ("colour-whist", "samen 8", "together-8"),
        ("colour-whist", "samen8", "together-8"),
        ("colour-whist", "grote", "grand-misere"),
        ("solo-whist", "misere ouverte", "open-misere"),
        ("solo-whist", "spread", "open-misere"),
        ("danish-whist", "7 gode", "7-good"),
        ("danish-whist", "oplaegger", "open-sol"),
        ("danish-whist", "BORDLÆGGER", "open-sol"),
        ("rikken", "8 alleen", "alone-8"),
    ],
)
def test_contract_is_found_by_its_name_on_the_page(game: str, typed: str, code: str) -> None:
    texts = RowTexts(typed, "12", "0 0")
    assert read_row(GAMES_BY_CODE[game].points_table, texts).contract["contract"] == code


def test_plain_names_are_accepted_where_the_page_shows_them() -> None:
    table = replace_local_names_by_titles(GAMES_BY_CODE["wiezen"].points_table)
    row = read_row(table, RowTexts("ask and", "13", "9"))
    assert row.contract["contract"] == "together-8"
    with pytest.raises(InvalidHand):
        read_row(table, RowTexts("vragen", "13", "9"))


def test_ambiguous_beginning_of_a_name_lists_the_matching_contracts() -> None:
    with pytest.raises(InvalidHand) as refused:
        read_row(GAMES_BY_CODE["wiezen"].points_table, RowTexts("mis", "2", "+"))
    assert refused.value.detail == ("“mis” could be mi (miserie), om (miserie op tafel).")


def test_unknown_name_lists_all_contracts_and_the_passed_hand_key() -> None:
    with pytest.raises(InvalidHand) as refused:
        read("zz", "2", "+")
    start = (
        "Contract “zz” not found. Enter 0 if everyone passed, or t8 (samen 8), l5 (alleen 5), "
    )
    assert refused.value.detail.startswith(start)
    for contract in COLOUR_WHIST_TABLE.playable_contracts:
        assert f"{contract.label.key} ({contract.label.local})" in refused.value.detail


@pytest.mark.parametrize("code", GAMES_BY_CODE)
@pytest.mark.parametrize("language", ["en", "nl", "da", "de", "fr", "sv", "nb", "es"])
def test_words_for_a_passed_hand_are_accepted_in_each_language(
    code: str, language: str
) -> None:
    local_words = {
        "nl": ("pas", "gepast", "iedereen past", "rondpas"),
        "da": ("pas", "alle pas"),
        "de": ("passe", "gepasst", "alle passen"),
        "fr": ("passe", "tous passent"),
        "sv": ("pass", "alla passade"),
        "nb": ("pass", "alle passet"),
        "es": ("paso", "todos pasan"),
    }
    with override(language):
        for word in ("0", "Pass", "passed", "everyone passed", *local_words.get(language, ())):
            assert read_row(GAMES_BY_CODE[code].points_table, RowTexts(word)) == (
                {},
                [0, 0, 0, 0],
            )
            with pytest.raises(InvalidHand) as refused:
                read_row(GAMES_BY_CODE[code].points_table, RowTexts(word, "1"))
            assert refused.value.invalid_key == "contract"


def test_contract_name_takes_precedence_over_a_word_for_passing() -> None:
    contract = replace(
        COLOUR_WHIST_TABLE.contracts[0],
        label=replace(COLOUR_WHIST_TABLE.contracts[0].label, local="Pass"),
    )
    table = replace(COLOUR_WHIST_TABLE, contracts=(contract,))
    assert read_row(table, RowTexts("pass", "13", "9")).contract["contract"] == contract.code


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_unreadable_tricks_are_refused_with_the_texts_that_are_accepted(code: str) -> None:
    for contract in GAMES_BY_CODE[code].points_table.playable_contracts:
        if contract.rule.goal is TrickGoal.ALWAYS_LOSES:
            continue
        seats = "12" if 2 in contract.rule.player_counts else "1"
        with pytest.raises(InvalidHand) as refused:
            read_row(
                GAMES_BY_CODE[code].points_table, RowTexts(contract.label.key, seats, "lost")
            )
        assert "“lost” not understood." in refused.value.detail
        assert ("+ if made, - if lost" in refused.value.detail) == contract.rule.is_flat_rate


@pytest.mark.parametrize("game", ["danish-whist", "rikken"])
def test_bidder_without_a_partner_has_to_be_confirmed(game: str) -> None:
    table = GAMES_BY_CODE[game].points_table
    key = {"danish-whist": "7v", "rikken": "ri"}[game]
    with pytest.raises(InvalidHand) as refused:
        read_row(table, RowTexts(key, "3", "8"))
    assert refused.value.invalid_key == "players"
    assert refused.value.detail == "enter the partner’s seat too, or 3a if seat 3 plays alone."
    row = read_row(table, RowTexts(key, "3 A", "8"))
    assert row.contract["by"] == [3]
    assert format_row(table, row.contract, ())[:3] == (key, "3a", "8")
    assert read_row(table, RowTexts(key, "31", "8")).contract["by"] == [3, 1]


@pytest.mark.parametrize("seats", ["a", "3aa", "13a", "3b"])
def test_alone_mark_needs_a_single_seat(seats: str) -> None:
    with pytest.raises(InvalidHand, match="enter seats"):
        read_row(GAMES_BY_CODE["danish-whist"].points_table, RowTexts("7v", seats, "8"))


def test_contract_of_two_players_accepts_no_alone_mark() -> None:
    with pytest.raises(InvalidHand, match="enter seats"):
        read("t8", "1a", "9")
