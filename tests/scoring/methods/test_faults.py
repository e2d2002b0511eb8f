import pytest

from scoring.methods.faulty_deals import AffectedTables, Fault, decide_remedy
from scoring.methods.remedies import AverageRuling, NewDealRuling

OVERPLAY_FAULTS = [Fault.WRONG_TRUMP_TURNED, Fault.BAD_HAND]


@pytest.mark.parametrize("fault", OVERPLAY_FAULTS)
@pytest.mark.parametrize("tables", [3, 4, 14])
def test_with_more_than_two_tables_the_table_takes_the_average(fault, tables):
    decision = decide_remedy(fault, tables)

    assert decision.remedy == AverageRuling()
    assert decision.table is AffectedTables.THIS_TABLE
    assert decision.reason.startswith(f"{tables} tables play the deal")


@pytest.mark.parametrize("fault", [*OVERPLAY_FAULTS, Fault.WRONG_TRUMP_RECORDED])
@pytest.mark.parametrize(
    ("tables", "text"), [(1, "Only one table plays"), (2, "2 tables play")]
)
def test_with_fewer_than_three_tables_there_is_a_new_deal(fault, tables, text):
    decision = decide_remedy(fault, tables, was_played_since=True)

    assert decision.remedy == NewDealRuling()
    assert decision.reason.startswith(text)


def test_a_wrong_trump_on_the_slip_found_at_the_next_table_means_a_new_deal():
    decision = decide_remedy(Fault.WRONG_TRUMP_RECORDED, 14)

    assert (decision.remedy, decision.law) == (NewDealRuling(), "IV.10")


def test_a_wrong_trump_that_was_played_stands_and_the_original_table_takes_the_average():
    decision = decide_remedy(Fault.WRONG_TRUMP_RECORDED, 3, was_played_since=True)

    assert (decision.remedy, decision.table) == (AverageRuling(), AffectedTables.ORIGINAL_TABLE)
    assert "recorded trump" in decision.reason


@pytest.mark.parametrize("fault", [Fault.FAULTY_DEALING, Fault.CARDS_LEFT_IN_TRAY])
@pytest.mark.parametrize("tables", [1, 14])
def test_a_fault_of_the_original_deal_always_means_a_new_deal(fault, tables):
    decision = decide_remedy(fault, tables)

    assert (decision.remedy, decision.law) == (NewDealRuling(), "III.2")


def test_each_decision_cites_its_law():
    assert [decide_remedy(fault, 7).law for fault in OVERPLAY_FAULTS] == ["IV.9", "V.1"]
