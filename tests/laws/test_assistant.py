"""The ruling assistant decides as the Laws and rules groups E to I say."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import pytest

from laws.book import SECTIONS, SITUATIONS, Advice, Effect, PlayFacts, advise, list_questions
from laws.book.questions import QUESTIONS, QuestionName
from laws.book.situation import Answers
from tests.page_text import remove_marked_text

ORIGINAL = PlayFacts(tables=7, is_original=True)
OVERPLAY = PlayFacts(tables=7, is_original=False)
TWO = PlayFacts(tables=2, is_original=False)
UNKNOWN = PlayFacts(tables=4, is_original=None, table_name="4", first_tables=("1", "4"))
WHOSE = PlayFacts(tables=4, is_original=False, table_name="2", first_tables=("1", "4"))
EVERY = (ORIGINAL, OVERPLAY, TWO, UNKNOWN, WHOSE)
REVOKE = {"in_time": "yes", "side": "NS", "revokes": "1", "won_before": "3"}


def told(code: str, facts: PlayFacts = OVERPLAY, **answers: str) -> Advice:
    advice = advise(code, answers, facts)
    assert advice.open_questions == ()
    return advice


def advise_outcome(code: str, facts: PlayFacts = OVERPLAY, **answers: str) -> tuple[str, str]:
    advice = told(code, facts, **answers)
    return advice.effect.value, advice.law


@pytest.mark.parametrize("code", ["I1", "I2", "I3", "I13", "I18", "I21", "I23"])
def test_what_is_simply_put_right_asks_nothing_and_alters_no_score(code: str) -> None:
    assert advise_outcome(code)[0] == Effect.NOTED


def test_a_fault_in_dealing_means_a_new_deal_whatever_the_size() -> None:
    assert advise_outcome("I4", ORIGINAL) == ("new_deal", "III.2")
    assert advise_outcome("I4", PlayFacts(2, is_original=True)) == ("new_deal", "III.2")
    assert told("I4", OVERPLAY).other_situation_code == "I11"


def test_cards_left_in_the_tray_count_only_after_the_first_trick() -> None:
    assert advise_outcome("I5", ORIGINAL, quitted="yes") == ("new_deal", "III.2")
    assert advise_outcome("I5", ORIGINAL, quitted="no") == ("noted", "III.2")
    assert told("I5", OVERPLAY, quitted="yes").other_situation_code == "I12"


@pytest.mark.parametrize(("code", "law"), [("I9", "IV.9"), ("I11", "V.1")])
def test_a_spoiled_overplay_is_averaged_or_dealt_anew_by_the_tables_in_play(
    code: str, law: str
) -> None:
    assert advise_outcome(code, PlayFacts(3, is_original=False)) == ("average", law)
    assert advise_outcome(code, TWO) == ("new_deal", law)
    assert not told(code).is_for_original_table
    assert told(code, ORIGINAL).other_situation_code == "I4"


def test_a_card_wrongly_turned_lies_open_on_an_overplay_and_spoils_the_deal_before() -> None:
    assert advise_outcome("I8", demand="no") == ("noted", "IV.8")
    original = told("I8", ORIGINAL)
    assert (original.other_situation_code, original.law) == ("I4", "III.2")
    assert original.enforcer == SITUATIONS["I4"].enforcer


def test_the_right_after_several_winners_lives_on_for_the_later_tricks() -> None:
    time_limit = told("I29", demand="no").time_limit
    assert "every later trick" in time_limit


def test_a_trump_card_left_lying_may_be_called_only_after_the_second_trick() -> None:
    assert told("I32", second="no").remedy.endswith("There is no penalty.")
    late = told("I32", second="yes")
    assert (late.law, late.effect) == ("IV.2", Effect.NOTED)
    assert "may let the card be called" in late.remedy


def test_a_pack_wrong_when_dealt_means_a_new_deal_on_every_play() -> None:
    assert advise_outcome("I36", ORIGINAL) == ("new_deal", "III.2")
    for facts in (OVERPLAY, TWO, UNKNOWN):
        assert advise_outcome("I36", facts, when_dealt="yes") == ("new_deal", "III.2")


@pytest.mark.parametrize(
    ("answer", "law", "see"), [("lost", "V.2", "I12"), ("added", "V.1", "I11")]
)
def test_a_pack_that_went_wrong_later_voids_no_result(answer: str, law: str, see: str) -> None:
    for facts in (OVERPLAY, TWO, UNKNOWN):
        advice = told("I36", facts, when_dealt=answer)
        assert (advice.effect, advice.law, advice.other_situation_code) == (
            Effect.NOTED,
            law,
            see,
        )


def test_no_result_becomes_void_at_an_overplay_without_a_question() -> None:
    """With more than two tables, because a new deal voids the results of the others."""
    voids = {
        (code, *answers.items())
        for code in SITUATIONS
        for answers in list_all_answers(code, OVERPLAY)
        if told(code, OVERPLAY, **answers).effect is Effect.NEW_DEAL
    }
    assert voids == {("I10", ("overplayed", "no")), ("I36", ("when_dealt", "yes"))}


def test_a_wrong_slip_that_misled_no_table_voids_no_result() -> None:
    for facts in (OVERPLAY, TWO):
        later = replace(facts, is_overplayed=True)
        assert advise_outcome("I10", later, overplayed="no") == ("noted", "IV.10")
        assert advise_outcome("I10", facts, overplayed="no") == ("new_deal", "IV.10")


def test_both_sides_revokes_are_ruled_one_after_the_other() -> None:
    assert told("I47").other_situation_code == "I26"


@pytest.mark.parametrize(
    ("code", "law"),
    [("I48", "IV.4"), ("I49", "VI.4"), ("I50", "X.2"), ("I51", "XI.2"), ("I52", "X.6")],
)
def test_what_is_permitted_is_said_to_be_and_asks_nothing(code: str, law: str) -> None:
    assert advise_outcome(code) == ("noted", law)
    assert told(code).remedy.startswith("Allowed")


def test_who_began_is_asked_for_the_average_of_the_original_table_alone() -> None:
    assert advise_outcome("I10", WHOSE, overplayed="no") == ("new_deal", "IV.10")
    few = replace(WHOSE, tables=2)
    assert advise_outcome("I10", few, overplayed="yes") == ("new_deal", "IV.10")
    (question,) = advise("I10", {"overplayed": "yes"}, WHOSE).open_questions
    assert question.name == QuestionName.FIRST_TABLE
    assert told("I10", WHOSE, overplayed="yes", first="4").is_for_original_table


def test_a_wrong_trump_recorded_is_dealt_anew_or_averaged_at_the_original_table() -> None:
    assert advise_outcome("I10", overplayed="no") == ("new_deal", "IV.10")
    assert advise_outcome("I10", TWO, overplayed="yes") == ("new_deal", "IV.10")
    advice = told("I10", overplayed="yes")
    assert (advice.effect, advice.is_for_original_table) == (Effect.AVERAGE, True)


def test_a_hand_found_short_answers_for_its_revokes_only() -> None:
    short = {"others_right": "yes", "quitted": "yes"}
    assert advise_outcome("I12", **short, caused="yes", **REVOKE) == ("revoke", "V.2")
    assert advise_outcome("I12", **short, caused="no") == ("noted", "V.2")
    assert advise_outcome("I12", others_right="yes", quitted="no") == ("noted", "V.2")
    assert told("I12", others_right="no").other_situation_code == "I11"


@pytest.mark.parametrize("code", ["I6", "I7", "I8", "I14", "I15", "I19", "I20", "I28", "I29"])
def test_a_wrong_demand_ends_every_penalty_but_that_of_a_revoke(code: str) -> None:
    answers = {"all_played": "no", "named_in_time": "yes", "demand": "yes"}
    assert advise_outcome(code, **answers) == ("noted", "XI.4")
    assert told(code, **answers).enforcer == "No one"
    assert told(code, **answers | {"demand": "no"}).law == SITUATIONS[code].laws[0]


def test_a_revoke_in_time_is_enforced_and_a_late_claim_is_not() -> None:
    assert advise_outcome("I26", established="yes", **REVOKE) == ("revoke", "X.4")
    assert advise_outcome("I26", established="yes", in_time="no") == ("noted", "X.5")
    assert told("I26", established="no").other_situation_code == "I25"
    assert advise_outcome("I27", **REVOKE) == ("revoke", "X.6")


@pytest.mark.parametrize("code", ["I17", "I30"])
def test_disobeying_a_lawful_call_is_as_a_revoke(code: str) -> None:
    assert advise_outcome(code, **REVOKE) == ("revoke", "XI.5")


def test_a_revoke_is_never_waived() -> None:
    assert told("I31", was_revoke="yes").other_situation_code == "I26"
    assert advise_outcome("I31", was_revoke="no") == ("noted", "XI.4")


def test_a_renounce_put_right_leaves_the_card_liable_to_be_called() -> None:
    third = told("I25", established="no", hand="yes", demand="no")
    assert "highest or lowest" in third.remedy
    fourth = told("I25", established="no", hand="no", demand="no")
    assert "highest or lowest" not in fourth.remedy
    assert told("I25", established="yes").other_situation_code == "I26"


def test_a_lead_out_of_turn_that_all_have_followed_stands() -> None:
    for code in ("I19", "I20", "I22"):
        assert advise_outcome(code, all_played="yes") == ("noted", "VIII.4")
    late = told("I19", all_played="no", named_in_time="no")
    assert late.remedy == "The suit was named too late, so no suit can be called."


def test_the_third_hand_loses_its_right_by_playing() -> None:
    assert told("I24", third_played="yes").enforcer == "No one"
    assert told("I24", third_played="no", demand="no").enforcer == "The third hand"


def test_an_answer_that_settles_it_ends_the_questions() -> None:
    names = [
        question.name for question in list_questions("I26", {"established": "no"}, OVERPLAY)
    ]
    assert names == [QuestionName.REVOKE_ESTABLISHED]
    names = [
        question.name for question in list_questions("I26", {"established": "yes"}, OVERPLAY)
    ]
    assert names == [
        QuestionName.REVOKE_ESTABLISHED,
        QuestionName.CLAIMED_IN_TIME,
        QuestionName.CHARGED_SIDE,
        QuestionName.REVOKE_COUNT,
        QuestionName.TRICKS_WON_BEFORE,
    ]


def test_an_answer_that_nobody_can_give_is_asked_again() -> None:
    advice = advise("I26", {"established": "perhaps"}, OVERPLAY)
    assert advice.open_questions == (QUESTIONS[QuestionName.REVOKE_ESTABLISHED],)


def list_all_answers(
    code: str, facts: PlayFacts, said: Answers = MappingProxyType({})
) -> Iterator[Answers]:
    """Yield answers to each question in turn, each with its first and last choice."""
    missing_open_questions = advise(code, said, facts).open_questions
    if not missing_open_questions:
        yield said
        return
    for value, _words in (
        missing_open_questions[0].choices[0],
        missing_open_questions[0].choices[-1],
    ):
        yield from list_all_answers(
            code, facts, {**said, missing_open_questions[0].name: value}
        )


@pytest.mark.parametrize("code", SITUATIONS)
def test_every_way_of_answering_leads_to_a_remedy_under_a_law(code: str) -> None:
    for facts in EVERY:
        for answers in list_all_answers(code, facts):
            advice = advise(code, answers, facts)
            assert advice.open_questions == ()
            assert advice.law in SECTIONS
            assert advice.remedy.endswith(".")
            assert advice.score.endswith(".")
            assert not advice.other_situation_code or advice.effect is Effect.NOTED


@pytest.mark.parametrize("code", SITUATIONS)
def test_who_is_sent_on_reads_who_may_enforce_there_and_until_when(code: str) -> None:
    for facts in EVERY:
        for answers in list_all_answers(code, facts):
            advice = advise(code, answers, facts)
            if advice.other_situation_code:
                other_situation = SITUATIONS[advice.other_situation_code]
                texts = advice.enforcer, advice.time_limit, advice.score
                assert texts == (
                    other_situation.enforcer,
                    other_situation.time_limit,
                    other_situation.score,
                )
                assert advice.other_situation_code in advice.remedy


@pytest.mark.parametrize("code", SITUATIONS)
def test_all_that_the_assistant_asks_and_says_is_in_the_readers_language(
    code: str, marked_language: None
) -> None:
    for facts in EVERY:
        for answers in list_all_answers(code, facts):
            advice = advise(code, answers, facts)
            message = [advice.remedy, advice.enforcer, advice.time_limit, advice.score]
            assert [text for text in message if not text or remove_marked_text(text)] == []
            for question in list_questions(code, answers, facts):
                texts = [question.text, *(label for _, label in question.choices)]
                assert [text for text in texts if remove_marked_text(text)] == []
