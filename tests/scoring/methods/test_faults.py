import pytest

from scoring.methods.faults import Bound, Fault, decide
from scoring.methods.remedies import Average, NewDeal

OVERPLAY_FAULTS = [Fault.WRONG_TRUMP_TURNED, Fault.BAD_HAND]


@pytest.mark.parametrize("fault", OVERPLAY_FAULTS)
@pytest.mark.parametrize("tables", [3, 4, 14])
def test_with_more_than_two_tables_the_table_takes_the_average(fault, tables):
    decision = decide(fault, tables)

    assert decision.remedy == Average()
    assert decision.table is Bound.THIS_TABLE
    assert decision.reason.startswith(f"{tables} tables play the deal")


@pytest.mark.parametrize("fault", [*OVERPLAY_FAULTS, Fault.WRONG_TRUMP_RECORDED])
@pytest.mark.parametrize(("tables", "words"), [(1, "One table plays"), (2, "2 tables play")])
def test_with_fewer_than_three_tables_there_is_a_new_deal(fault, tables, words):
    decision = decide(fault, tables, played_since=True)

    assert decision.remedy == NewDeal()
    assert decision.reason.startswith(words)


def test_a_wrong_trump_on_the_slip_found_at_the_next_table_means_a_new_deal():
    decision = decide(Fault.WRONG_TRUMP_RECORDED, 14)

    assert (decision.remedy, decision.law) == (NewDeal(), "IV.10")


def test_a_wrong_trump_that_was_played_stands_and_the_original_table_takes_the_average():
    decision = decide(Fault.WRONG_TRUMP_RECORDED, 3, played_since=True)

    assert (decision.remedy, decision.table) == (Average(), Bound.ORIGINAL_TABLE)
    assert "recorded trump" in decision.reason


@pytest.mark.parametrize("fault", [Fault.FAULTY_DEALING, Fault.CARDS_LEFT_IN_TRAY])
@pytest.mark.parametrize("tables", [1, 14])
def test_a_fault_of_the_original_deal_always_means_a_new_deal(fault, tables):
    decision = decide(fault, tables)

    assert (decision.remedy, decision.law) == (NewDeal(), "III.2")


def test_each_decision_cites_its_law():
    assert [decide(fault, 7).law for fault in OVERPLAY_FAULTS] == ["IV.9", "V.1"]
