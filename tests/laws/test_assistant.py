"""The ruling assistant decides as the Laws and rules groups E to I say."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import pytest

from laws.book import (
    SECTIONS_BY_KEY,
    SITUATIONS_BY_CODE,
    Advice,
    PlayFacts,
    RulingEffect,
    get_advice,
    list_questions,
)
from laws.book.questions import QUESTIONS_BY_NAME, QuestionName
from laws.book.situation import Answers
from tests.page_text import remove_marked_text

ORIGINAL_PLAY = PlayFacts(table_count=7, is_original_play=True)
OVERPLAY_AT_SEVEN = PlayFacts(table_count=7, is_original_play=False)
OVERPLAY_AT_TWO = PlayFacts(table_count=2, is_original_play=False)
UNKNOWN_ORDER = PlayFacts(
    table_count=4, is_original_play=None, table_name="4", first_tables=("1", "4")
)
LATER_PLAY = PlayFacts(
    table_count=4, is_original_play=False, table_name="2", first_tables=("1", "4")
)
ALL_FACTS = (ORIGINAL_PLAY, OVERPLAY_AT_SEVEN, OVERPLAY_AT_TWO, UNKNOWN_ORDER, LATER_PLAY)
REVOKE_ANSWERS = {"in_time": "yes", "side": "NS", "revokes": "1", "won_before": "3"}


def get_complete_advice(
    code: str, facts: PlayFacts = OVERPLAY_AT_SEVEN, **answers: str
) -> Advice:
    advice = get_advice(code, answers, facts)
    assert advice.open_questions == ()
    return advice


def get_effect_and_law(
    code: str, facts: PlayFacts = OVERPLAY_AT_SEVEN, **answers: str
) -> tuple[str, str]:
    advice = get_complete_advice(code, facts, **answers)
    return advice.effect.value, advice.law


@pytest.mark.parametrize("code", ["I1", "I2", "I3", "I13", "I18", "I21", "I23"])
def test_harmless_irregularity_is_only_noted(code: str) -> None:
    assert get_effect_and_law(code)[0] == RulingEffect.NOTED


def test_dealing_error_means_a_redeal_for_any_number_of_tables() -> None:
    assert get_effect_and_law("I4", ORIGINAL_PLAY) == ("new_deal", "III.2")
    assert get_effect_and_law("I4", PlayFacts(2, is_original_play=True)) == (
        "new_deal",
        "III.2",
    )
    assert get_complete_advice("I4", OVERPLAY_AT_SEVEN).other_situation_code == "I11"


def test_cards_left_in_tray_require_redeal_only_after_first_trick() -> None:
    assert get_effect_and_law("I5", ORIGINAL_PLAY, quitted="yes") == ("new_deal", "III.2")
    assert get_effect_and_law("I5", ORIGINAL_PLAY, quitted="no") == ("noted", "III.2")
    assert (
        get_complete_advice("I5", OVERPLAY_AT_SEVEN, quitted="yes").other_situation_code
        == "I12"
    )


@pytest.mark.parametrize(("code", "law"), [("I9", "IV.9"), ("I11", "V.1")])
def test_spoiled_overplay_is_averaged_or_redealt_by_number_of_tables(
    code: str, law: str
) -> None:
    assert get_effect_and_law(code, PlayFacts(3, is_original_play=False)) == ("average", law)
    assert get_effect_and_law(code, OVERPLAY_AT_TWO) == ("new_deal", law)
    assert not get_complete_advice(code).is_for_original_table
    assert get_complete_advice(code, ORIGINAL_PLAY).other_situation_code == "I4"


def test_wrongly_turned_card_is_exposed_on_overplay_and_spoils_original_deal() -> None:
    assert get_effect_and_law("I8", demand="no") == ("noted", "IV.8")
    original = get_complete_advice("I8", ORIGINAL_PLAY)
    assert (original.other_situation_code, original.law) == ("I4", "III.2")
    assert original.enforcer == SITUATIONS_BY_CODE["I4"].enforcer


def test_right_after_several_winners_applies_to_later_tricks() -> None:
    time_limit = get_complete_advice("I29", demand="no").time_limit
    assert "every later trick" in time_limit


def test_trump_card_left_on_table_may_be_called_only_after_second_trick() -> None:
    assert get_complete_advice("I32", second="no").remedy.endswith("There is no penalty.")
    late = get_complete_advice("I32", second="yes")
    assert (late.law, late.effect) == ("IV.2", RulingEffect.NOTED)
    assert "may let the card be called" in late.remedy


def test_pack_wrong_when_dealt_means_redeal_on_every_play() -> None:
    assert get_effect_and_law("I36", ORIGINAL_PLAY) == ("new_deal", "III.2")
    for facts in (OVERPLAY_AT_SEVEN, OVERPLAY_AT_TWO, UNKNOWN_ORDER):
        assert get_effect_and_law("I36", facts, when_dealt="yes") == ("new_deal", "III.2")


@pytest.mark.parametrize(
    ("answer", "law", "other_code"), [("lost", "V.2", "I12"), ("added", "V.1", "I11")]
)
def test_pack_that_became_wrong_later_voids_no_result(
    answer: str, law: str, other_code: str
) -> None:
    for facts in (OVERPLAY_AT_SEVEN, OVERPLAY_AT_TWO, UNKNOWN_ORDER):
        advice = get_complete_advice("I36", facts, when_dealt=answer)
        assert (advice.effect, advice.law, advice.other_situation_code) == (
            RulingEffect.NOTED,
            law,
            other_code,
        )


def test_redeal_at_overplay_asks_before_voiding_results() -> None:
    """With more than two tables, because a new deal voids the results of the others."""
    voiding_answers = {
        (code, *answers.items())
        for code in SITUATIONS_BY_CODE
        for answers in list_all_answers(code, OVERPLAY_AT_SEVEN)
        if get_complete_advice(code, OVERPLAY_AT_SEVEN, **answers).effect
        is RulingEffect.NEW_DEAL
    }
    assert voiding_answers == {("I10", ("overplayed", "no")), ("I36", ("when_dealt", "yes"))}


def test_wrong_slip_that_misled_no_table_voids_no_result() -> None:
    for facts in (OVERPLAY_AT_SEVEN, OVERPLAY_AT_TWO):
        overplayed_facts = replace(facts, is_overplayed=True)
        assert get_effect_and_law("I10", overplayed_facts, overplayed="no") == (
            "noted",
            "IV.10",
        )
        assert get_effect_and_law("I10", facts, overplayed="no") == ("new_deal", "IV.10")


def test_revokes_of_both_sides_refer_to_the_single_revoke_ruling() -> None:
    assert get_complete_advice("I47").other_situation_code == "I26"


@pytest.mark.parametrize(
    ("code", "law"),
    [("I48", "IV.4"), ("I49", "VI.4"), ("I50", "X.2"), ("I51", "XI.2"), ("I52", "X.6")],
)
def test_permitted_act_is_reported_as_allowed_without_questions(code: str, law: str) -> None:
    assert get_effect_and_law(code) == ("noted", law)
    assert get_complete_advice(code).remedy.startswith("Allowed")


def test_original_table_is_asked_for_only_before_an_average() -> None:
    assert get_effect_and_law("I10", LATER_PLAY, overplayed="no") == ("new_deal", "IV.10")
    two_table_facts = replace(LATER_PLAY, table_count=2)
    assert get_effect_and_law("I10", two_table_facts, overplayed="yes") == ("new_deal", "IV.10")
    (question,) = get_advice("I10", {"overplayed": "yes"}, LATER_PLAY).open_questions
    assert question.name == QuestionName.FIRST_TABLE
    assert get_complete_advice(
        "I10", LATER_PLAY, overplayed="yes", first="4"
    ).is_for_original_table


def test_wrongly_recorded_trump_means_redeal_or_average_for_original_table() -> None:
    assert get_effect_and_law("I10", overplayed="no") == ("new_deal", "IV.10")
    assert get_effect_and_law("I10", OVERPLAY_AT_TWO, overplayed="yes") == ("new_deal", "IV.10")
    advice = get_complete_advice("I10", overplayed="yes")
    assert (advice.effect, advice.is_for_original_table) == (RulingEffect.AVERAGE, True)


def test_hand_found_short_is_liable_only_for_its_revokes() -> None:
    short_hand_answers = {"others_right": "yes", "quitted": "yes"}
    assert get_effect_and_law("I12", **short_hand_answers, caused="yes", **REVOKE_ANSWERS) == (
        "revoke",
        "V.2",
    )
    assert get_effect_and_law("I12", **short_hand_answers, caused="no") == ("noted", "V.2")
    assert get_effect_and_law("I12", others_right="yes", quitted="no") == ("noted", "V.2")
    assert get_complete_advice("I12", others_right="no").other_situation_code == "I11"


@pytest.mark.parametrize(
    ("answers", "remedy"),
    [
        (
            {"others_right": "no"},
            "Another hand is wrong too. Use I11 instead (a hand with too many cards).",
        ),
        (
            {"others_right": "yes", "quitted": "no"},
            "Find the card, put it into the hand and play on.",
        ),
        (
            {"others_right": "yes", "quitted": "yes", "caused": "no"},
            "The deal counts, with no penalty.",
        ),
    ],
)
def test_remedy_for_a_short_hand_fits_the_answers(answers: Answers, remedy: str) -> None:
    assert get_complete_advice("I12", **answers).remedy == remedy


@pytest.mark.parametrize("code", ["I6", "I7", "I8", "I14", "I15", "I19", "I20", "I28", "I29"])
def test_wrong_demand_cancels_every_penalty_except_for_a_revoke(code: str) -> None:
    answers = {"all_played": "no", "named_in_time": "yes", "demand": "yes"}
    assert get_effect_and_law(code, **answers) == ("noted", "XI.4")
    assert get_complete_advice(code, **answers).enforcer == "No one"
    assert (
        get_complete_advice(code, **answers | {"demand": "no"}).law
        == SITUATIONS_BY_CODE[code].laws[0]
    )


def test_advice_after_a_wrong_demand_says_that_the_right_has_lapsed() -> None:
    advice = get_complete_advice("I7", demand="yes")
    assert advice.remedy == (
        "Nothing can be enforced. A wrong demand, or a waiver by either opponent, "
        "ends the right."
    )
    assert advice.time_limit == "Too late. The right has lapsed."
    assert advice.score == "None: the tricks count as made."


def test_revoke_claimed_in_time_is_enforced_and_late_claim_is_not() -> None:
    assert get_effect_and_law("I26", established="yes", **REVOKE_ANSWERS) == ("revoke", "X.4")
    assert get_effect_and_law("I26", established="yes", in_time="no") == ("noted", "X.5")
    assert get_complete_advice("I26", established="no").other_situation_code == "I25"
    assert get_effect_and_law("I27", **REVOKE_ANSWERS) == ("revoke", "X.6")


@pytest.mark.parametrize("code", ["I17", "I30"])
def test_disobeying_a_lawful_call_is_treated_as_a_revoke(code: str) -> None:
    assert get_effect_and_law(code, **REVOKE_ANSWERS) == ("revoke", "XI.5")


def test_revoke_cannot_be_waived() -> None:
    assert get_complete_advice("I31", was_revoke="yes").other_situation_code == "I26"
    assert get_effect_and_law("I31", was_revoke="no") == ("noted", "XI.4")


def test_corrected_renounce_makes_the_card_liable_to_be_called() -> None:
    third = get_complete_advice("I25", established="no", hand="yes", demand="no")
    assert "highest or lowest" in third.remedy
    fourth = get_complete_advice("I25", established="no", hand="no", demand="no")
    assert "highest or lowest" not in fourth.remedy
    assert get_complete_advice("I25", established="yes").other_situation_code == "I26"


def test_lead_out_of_turn_followed_by_all_is_accepted() -> None:
    for code in ("I19", "I20", "I22"):
        assert get_effect_and_law(code, all_played="yes") == ("noted", "VIII.4")
    late = get_complete_advice("I19", all_played="no", named_in_time="no")
    assert late.remedy == "The suit was named too late, so no suit can be called."


def test_third_hand_loses_its_right_by_playing() -> None:
    assert get_complete_advice("I24", third_played="yes").enforcer == "No one"
    assert (
        get_complete_advice("I24", third_played="no", demand="no").enforcer == "The third hand"
    )


def test_decisive_answer_ends_the_questions() -> None:
    names = [
        question.name
        for question in list_questions("I26", {"established": "no"}, OVERPLAY_AT_SEVEN)
    ]
    assert names == [QuestionName.REVOKE_ESTABLISHED]
    names = [
        question.name
        for question in list_questions("I26", {"established": "yes"}, OVERPLAY_AT_SEVEN)
    ]
    assert names == [
        QuestionName.REVOKE_ESTABLISHED,
        QuestionName.CLAIMED_IN_TIME,
        QuestionName.CHARGED_SIDE,
        QuestionName.REVOKE_COUNT,
        QuestionName.TRICKS_WON_BEFORE,
    ]


def test_invalid_answer_is_asked_again() -> None:
    advice = get_advice("I26", {"established": "perhaps"}, OVERPLAY_AT_SEVEN)
    assert advice.open_questions == (QUESTIONS_BY_NAME[QuestionName.REVOKE_ESTABLISHED],)


def list_all_answers(
    code: str, facts: PlayFacts, given_answers: Answers = MappingProxyType({})
) -> Iterator[Answers]:
    """Yield answers to each question in turn, each with its first and last choice."""
    open_questions = get_advice(code, given_answers, facts).open_questions
    if not open_questions:
        yield given_answers
        return
    for value, _label in (
        open_questions[0].choices[0],
        open_questions[0].choices[-1],
    ):
        yield from list_all_answers(
            code, facts, {**given_answers, open_questions[0].name: value}
        )


@pytest.mark.parametrize("code", SITUATIONS_BY_CODE)
def test_every_path_of_answers_ends_with_a_remedy_and_a_law(code: str) -> None:
    for facts in ALL_FACTS:
        for answers in list_all_answers(code, facts):
            advice = get_advice(code, answers, facts)
            assert advice.open_questions == ()
            assert advice.law in SECTIONS_BY_KEY
            assert advice.remedy.endswith(".")
            assert advice.score.endswith(".")
            assert not advice.other_situation_code or advice.effect is RulingEffect.NOTED


@pytest.mark.parametrize("code", SITUATIONS_BY_CODE)
def test_redirected_situation_shows_enforcer_time_limit_and_score_of_its_target(
    code: str,
) -> None:
    for facts in ALL_FACTS:
        for answers in list_all_answers(code, facts):
            advice = get_advice(code, answers, facts)
            if advice.other_situation_code:
                other_situation = SITUATIONS_BY_CODE[advice.other_situation_code]
                texts = advice.enforcer, advice.time_limit, advice.score
                assert texts == (
                    other_situation.enforcer,
                    other_situation.time_limit,
                    other_situation.score,
                )
                assert advice.other_situation_code in advice.remedy


@pytest.mark.parametrize("code", SITUATIONS_BY_CODE)
def test_all_assistant_texts_are_in_the_readers_language(
    code: str, use_marked_language: None
) -> None:
    for facts in ALL_FACTS:
        for answers in list_all_answers(code, facts):
            advice = get_advice(code, answers, facts)
            message = [advice.remedy, advice.enforcer, advice.time_limit, advice.score]
            assert [text for text in message if not text or remove_marked_text(text)] == []
            for question in list_questions(code, answers, facts):
                texts = [question.text, *(label for _, label in question.choices)]
                assert [text for text in texts if remove_marked_text(text)] == []
