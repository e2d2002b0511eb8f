"""Rulings are stored next to results and can be withdrawn; one function applies them."""

from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction

from clubs import audit
from hall.history.act_words import format_act_location, format_values
from scoring.errors import RulingRefused
from scoring.methods import find_method_for_contest
from scoring.methods.remedies import ImpossibleRuling
from scoring.models import Outcome, Result, ResultVersion, Ruling
from scoring.services import close_session, make_ruling, record_result, withdraw_ruling
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.sheets.ranks import index_rank_rows, load_rank_table
from scoring.sheets.travellers import load_travellers
from scoring.standings_engine import standings
from scoring.standings_engine.result_lines import load_tally
from scoring.standings_engine.scores import compute_play_values, score_event
from tests import evenings, factories
from tests.copies import build_once
from tests.scoring.papers.test_two_plays import play_memory
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session, Sitting
from tournaments.services import correct_deal

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
F = Fraction


def list_tables_of_board(session: Session, board: int) -> list[SeatedTable]:
    """Return the tables of a board in the order in which they play it."""
    return sorted(
        load_session_snapshot(session).tables_by_board[board], key=lambda table: table.round
    )


@pytest.fixture
@build_once
def evening() -> Session:
    """Return three tables; on board 1 N-S take 6, 5 and 7 in the order of play."""
    session, user = evenings.open_session()
    for table in load_session_snapshot(session).tables:
        for board in table.boards:
            evenings.enter_result(session, table.sitting_id, board, "6", user)
    for table, tricks in zip(list_tables_of_board(session, 1), (6, 5, 7), strict=True):
        evenings.enter_result(session, table.sitting_id, 1, str(tricks), user)
    return session


def make_ruling_at_place(
    session: Session, place: int, kind: str, board: int = 1, **terms: object
) -> Ruling:
    """Rule about a board at the table that plays it in the given place, from 0."""
    sitting = Sitting.objects.get(pk=list_tables_of_board(session, board)[place].sitting_id)
    return make_ruling(sitting=sitting, board_number=board, kind=kind, by=None, **terms)


def make_revoke_ruling(session: Session, place: int = 0, **terms: object) -> Ruling:
    return make_ruling_at_place(
        session,
        place,
        "revoke",
        **{"side": "NS", "revokes": 1, "won_before": 2, "law": "X.4"} | terms,
    )


def list_counted_tricks(
    session: Session, board: int = 1
) -> list[tuple[Fraction | None, ...] | None]:
    """Return what the plays of a board count, in the order of play; None for a void one."""
    play_values = compute_play_values(
        load_tally(session.event), find_method_for_contest("pairs", "plus_minus")
    )
    return [
        play_value.tricks
        if (play_value := play_values.get((table.sitting_id, board)))
        else None
        for table in list_tables_of_board(session, board)
    ]


def test_revoke_in_pair_match_caps_opponents_at_best_result_elsewhere(
    evening: Session,
) -> None:
    make_revoke_ruling(evening)
    assert list_counted_tricks(evening)[0] == (5, 8)  # rules H14
    ruled_play = score_event(evening.event).tally.ruled_results_by_play[
        list_tables_of_board(evening, 1)[0].sitting_id, 1
    ]
    assert ruled_play.revoke_marks == ("-R", "+R")
    assert not ruled_play.is_provisional


def test_committee_can_enforce_full_penalty_with_reason(evening: Session) -> None:
    with pytest.raises(RulingRefused, match="reason"):
        make_revoke_ruling(evening, full=True)
    make_revoke_ruling(evening, full=True, reason="they would have made ten")
    assert list_counted_tricks(evening)[0] == (4, 9)  # rules H14


def test_individual_revoke_is_bounded_only_by_average_and_kept_tricks(
    evening: Session,
) -> None:
    Event.objects.update(contest=Event.Contest.INDIVIDUAL)
    evening.event.refresh_from_db()
    make_revoke_ruling(evening)
    assert list_counted_tricks(evening)[0] == (4, 9)  # 6 − 2, under the cap of 6 (rules H4)


@pytest.mark.parametrize(
    ("contest", "tricks_when_behind", "tricks_when_ahead"),
    [("memory", 4, 6), ("individual", 4, 6), ("pairs", 6, 6)],
)
def test_single_other_play_bounds_revoke_only_for_pairs_at_two_tables(
    contest: str, tricks_when_behind: int, tricks_when_ahead: int
) -> None:
    """N-S revoke and make six with their cards where the others made nine, and the reverse."""
    session = play_memory().session
    Event.objects.update(contest=contest)
    session.event.refresh_from_db()
    for board, first_tricks, second_tricks in ((1, 6, 9), (2, 9, 6)):
        for table, tricks in zip(
            list_tables_of_board(session, board), (first_tricks, second_tricks), strict=True
        ):
            Result.objects.filter(sitting=table.sitting_id, board=board).update(
                ns_tricks=tricks
            )
        make_revoke_ruling(session, board=board)
    for board, counts in ((1, tricks_when_behind), (2, tricks_when_ahead)):
        assert list_counted_tricks(session, board)[0] == (counts, 13 - counts)


def test_ruling_never_changes_entered_result(evening: Session) -> None:
    rows_before = list(Result.objects.values()), list(ResultVersion.objects.values())
    withdraw_ruling(ruling=make_revoke_ruling(evening), by=None)
    make_ruling_at_place(
        evening, 1, "adjusted", ns_tricks="13/2", ew_tricks="7", reason="noise"
    )
    assert (list(Result.objects.values()), list(ResultVersion.objects.values())) == rows_before


def test_ruling_changes_standings_and_withdrawal_restores_them(
    evening: Session,
) -> None:
    def list_scores() -> dict[int, Fraction]:
        standings.update_standings(evening.event)
        return {
            n: row.score for n, row in index_rank_rows(load_rank_table(evening.event)).items()
        }

    scores_before = list_scores()
    ruling = make_revoke_ruling(evening)
    assert list_scores() != scores_before
    withdraw_ruling(ruling=ruling, by=None)
    assert list_scores() == scores_before


def test_repeated_ruling_request_is_idempotent(evening: Session) -> None:
    assert make_revoke_ruling(evening) == make_revoke_ruling(evening)
    assert Ruling.objects.count() == 1
    ruling = Ruling.objects.get()
    withdrawn_ruling = withdraw_ruling(ruling=ruling, by=None)
    assert withdraw_ruling(ruling=ruling, by=None).withdrawn_at == withdrawn_ruling.withdrawn_at
    assert make_revoke_ruling(evening) != ruling


def test_repeated_new_deal_request_is_idempotent(evening: Session) -> None:
    assert make_ruling_at_place(evening, 1, "new_deal") == make_ruling_at_place(
        evening, 1, "new_deal"
    )
    assert Ruling.objects.count() == 1


def test_history_contains_ruling_and_withdrawal(evening: Session) -> None:
    withdraw_ruling(ruling=make_revoke_ruling(evening, reason="claimed at once"), by=None)
    acts = {act.action: act for act in audit.list_acts(evening.event)}
    formatted_ruling = format_values(acts["ruling.made"].after)
    assert formatted_ruling == "revoke by N-S (Law X §4): claimed at once"
    assert acts["ruling.withdrawn"].before == acts["ruling.made"].after
    assert format_act_location(acts["ruling.made"].where).startswith("board 1, round ")


def test_averaged_board_does_not_have_to_be_played() -> None:
    session, user = evenings.open_session()
    tables = list_tables_of_board(session, 1)
    for table, tricks in zip(tables[:2], (6, 9), strict=True):
        evenings.enter_result(session, table.sitting_id, 1, str(tricks), user)
    make_ruling_at_place(session, 2, "average", law="V.1")
    assert list_counted_tricks(session)[2] == (F(15, 2), F(11, 2))
    tally = score_event(session.event).tally
    assert tally.entered_result_count == 3
    assert not tally.plays_with_open_rulings
    assert Result.objects.get(sitting=tables[2].sitting_id).outcome == Outcome.CLEARED


def test_average_is_provisional_until_deal_is_complete() -> None:
    session, user = evenings.open_session()
    tables = list_tables_of_board(session, 1)
    evenings.enter_result(session, tables[0].sitting_id, 1, "6", user)
    make_ruling_at_place(session, 1, "average", law="V.1")
    assert score_event(session.event).tally.plays_with_open_rulings == [
        (tables[1].sitting_id, 1)
    ]
    assert list_counted_tricks(session)[1] == (6, 7)
    evenings.enter_result(session, tables[2].sitting_id, 1, "9", user)
    assert score_event(session.event).tally.plays_with_open_rulings == []
    assert list_counted_tricks(session)[1] == (F(15, 2), F(11, 2))


def test_new_deal_voids_earlier_scores_and_separates_comparisons(
    evening: Session,
) -> None:
    make_ruling_at_place(evening, 1, "new_deal", law="IV.10")
    assert list_counted_tricks(evening) == [None, None, (7, 6)]
    ranking = score_event(evening.event)
    assert compute_play_values(ranking.tally, ranking.method)[
        list_tables_of_board(evening, 1)[2].sitting_id, 1
    ].averages == (7, 6)
    assert ranking.tally.missing_result_count == 0


def test_table_with_new_deal_enters_new_score_next_to_void_score(
    evening: Session,
) -> None:
    ruling = make_ruling_at_place(evening, 1, "new_deal", law="III.2")
    sitting = Sitting.objects.get(pk=list_tables_of_board(evening, 1)[1].sitting_id)
    result = record_result(sitting=sitting, board_number=1, mark="9", seen_score="", by=None)
    assert (result.result.deal, sitting.results.filter(board=1).count()) == (2, 2)
    assert list_counted_tricks(evening) == [None, (9, 4), (7, 6)]
    with pytest.raises(RulingRefused, match="Clear that score first"):
        withdraw_ruling(ruling=ruling, by=None)
    record_result(sitting=sitting, board_number=1, mark="", seen_score="9", by=None)
    withdraw_ruling(ruling=ruling, by=None)
    assert list_counted_tricks(evening) == [(6, 7), (5, 8), (7, 6)]


def test_ruling_after_new_deal_applies_to_new_deal(evening: Session) -> None:
    make_ruling_at_place(evening, 1, "new_deal", law="III.2")
    ruling = make_ruling_at_place(evening, 1, "average", law="V.1")
    assert ruling.result is not None
    assert ruling.result.deal == 2
    assert list_counted_tricks(evening) == [None, (7, 6), (7, 6)]


def test_new_deal_stores_replaced_cards() -> None:
    session = factories.create_played_session(rounds=1)
    board_set = factories.BoardSetFactory(size=6)
    for number in range(1, 7):
        factories.BoardFactory(board_set=board_set, number=number)
    Session.objects.update(board_set=board_set, deals=Session.DealsState.RECORDED)
    sitting = Sitting.objects.filter(round=1, table=1).get()
    deal = factories.make_deal(30)
    make_ruling(
        sitting=sitting, board_number=1, kind="new_deal", law="III.2", deal=deal, by=None
    )
    assert board_set.boards.filter(number=1).count() == 2
    assert board_set.load_deals()[1] == deal
    assert board_set.boards.get(number=1, version=1).as_deal() == factories.make_deal(1)
    assert session.event.sessions.get().board_set == board_set


def test_replaced_hands_are_no_longer_shown() -> None:
    session = factories.create_played_session()
    board_set = factories.BoardSetFactory(size=6)
    for number in range(1, 7):
        factories.BoardFactory(board_set=board_set, number=number)
    Session.objects.update(board_set=board_set, deals=Session.DealsState.RECORDED)
    session.refresh_from_db()
    make_ruling_at_place(session, 0, "new_deal", law="III.2")
    close_session(session=session, by=None)
    session.refresh_from_db()
    sheets = {sheet.board: sheet for sheet in load_travellers(load_session_snapshot(session))}
    assert sheets[1].deal is None
    assert sheets[2].deal == factories.make_deal(2)
    deal = factories.make_deal(30)
    correct_deal(session=session, board_number=1, deal=deal, by=None)
    assert {sheet.board: sheet for sheet in load_travellers(load_session_snapshot(session))}[
        1
    ].deal == deal


def test_fouled_board_is_compared_in_two_groups(evening: Session) -> None:
    make_ruling_at_place(evening, 1, "fouled", reason="two hands changed places at table 2")
    counts = compute_play_values(
        load_tally(evening.event), find_method_for_contest("pairs", "plus_minus")
    )
    averages = [
        counts[table.sitting_id, 1].averages[0] for table in list_tables_of_board(evening, 1)
    ]
    assert averages == [6, 6, 6]
    assert counts[list_tables_of_board(evening, 1)[0].sitting_id, 1].scores == (0, 0)
    assert counts[list_tables_of_board(evening, 1)[1].sitting_id, 1].scores == (-1, 1)


def test_adjusted_score_may_differ_between_sides(evening: Session) -> None:
    make_ruling_at_place(
        evening, 0, "adjusted", ns_tricks="13/2", ew_tricks=8, reason="the light went out"
    )
    assert list_counted_tricks(evening)[0] == (F(13, 2), 8)


def test_penalty_is_deducted_from_score_of_entry(evening: Session) -> None:
    score_before = score_event(evening.event).scores_by_entry[1]
    entry = evening.event.entries.get(number=1)
    terms = {"entry": entry, "session": evening, "kind": "penalty", "by": None}
    make_ruling(**terms, amount="1/2", reason="late for the second time")
    assert score_event(evening.event).scores_by_entry[1] == score_before - F(1, 2)
    standings.update_standings(evening.event)
    assert entry.standings.get().penalty == "1/2"


def test_trump_on_slip_and_turned_trump_are_stored_separately(evening: Session) -> None:
    ruling = make_ruling_at_place(
        evening, 0, "average", law="IV.10", trump_recorded="6h", trump_turned="♠10"
    )
    assert (ruling.trump_recorded, ruling.trump_turned) == ("H6", "ST")


@pytest.mark.parametrize(
    ("kind", "terms", "expected_error"),
    [
        ("revoke", {"revokes": 1, "won_before": 0}, "Choose the side"),
        ("revoke", {"side": "NS"}, "Enter the number of revokes"),
        ("adjusted", {"ns_tricks": "7", "reason": "x"}, "isn’t a number"),
        ("adjusted", {"ns_tricks": "7", "ew_tricks": "7"}, "Enter a reason"),
        ("penalty", {}, "Choose who"),
        ("fine", {}, "“fine” not found"),
    ],
)
def test_incomplete_ruling_is_refused_with_message(
    evening: Session, kind: str, terms: dict[str, object], expected_error: str
) -> None:
    with pytest.raises(RulingRefused, match=expected_error):
        make_ruling_at_place(evening, 0, kind, **terms)
    assert not Ruling.objects.exists()


def test_scores_impossible_for_any_deal_are_refused(evening: Session) -> None:
    with pytest.raises(ImpossibleRuling):
        make_ruling_at_place(evening, 0, "adjusted", ns_tricks="14", ew_tricks="0", reason="x")
    with pytest.raises(ImpossibleRuling):
        make_revoke_ruling(evening, won_before=14)


def test_rulings_cannot_be_made_or_withdrawn_in_closed_session(evening: Session) -> None:
    ruling = make_revoke_ruling(evening)
    evenings.end_correction_period(evening)
    close_session(session=evening, by=None)
    evening = Session.objects.get(pk=evening.pk)
    with pytest.raises(ActionUnavailable):
        make_revoke_ruling(evening, place=1)
    with pytest.raises(ActionUnavailable):
        withdraw_ruling(ruling=Ruling.objects.get(pk=ruling.pk), by=None)


@pytest.mark.parametrize(
    "invalid_values",
    [
        {"kind": "revoke"},
        {"kind": "revoke", "side": "NS"},
        {"kind": "penalty"},
        {"kind": "adjusted", "ns_tricks": "7"},
        {"kind": "average", "side": "NS"},
        {"kind": "nothing"},
        {"withdrawn_by": "director"},
    ],
)
def test_database_refuses_ruling_with_missing_or_extra_values(
    invalid_values: dict[str, object],
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        factories.RulingFactory(**invalid_values)
    assert not Ruling.objects.exists()
