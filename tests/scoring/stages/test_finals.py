"""Finals are drawn from a ranking: test qualification and carry-over."""

from fractions import Fraction

import pytest

import hall.history.undo
import scoring.services
from clubs import audit
from scoring.errors import StageRefused
from scoring.models import Final, Stage, Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.field_lists import iter_entry_standings
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.stages import build_final_note
from scoring.sheets.travellers import load_scorecard
from scoring.standings_engine import standings, versions
from scoring.standings_engine.overall_order import (
    build_placed_entries,
    group_tied_entries,
    load_placed_entries,
)
from scoring.standings_engine.running_scores import load_running_scores
from scoring.standings_engine.scores import score_event
from scoring.tasks import recompute_standings
from tests import evenings
from tests.scoring.stages.championship import NEXT_DAY, RULE, play_qualifying, seat_event
from tournaments.errors import ActionUnavailable
from tournaments.models import Event
from tournaments.stages.rules import (
    CarryOverKind,
    FinalsCriterion,
    InvalidRule,
    StageRules,
    read_rules,
)

pytestmark = pytest.mark.django_db


def find_standing(event: Event, number: int) -> Standing:
    return Standing.objects.get(ranking__event=event, entry__number=number)


@pytest.mark.slow
def test_best_entries_go_to_final_a_then_final_b_and_others_to_consolation() -> None:
    event, user = play_qualifying()
    with pytest.raises(StageRefused, match="the rule for the finals"):
        scoring.services.draw_finals(event=event, by=user)
    stage = scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    assert stage is not None
    assert stage.rule["lot"]
    stage = scoring.services.draw_finals(event=event, date=NEXT_DAY, by=user)
    assert scoring.services.draw_finals(event=event, by=user).pk == stage.pk
    finals = list(stage.finals.select_related("event"))
    assert [final.event.name for final in finals] == [
        "Tuesday: A final", "Tuesday: B final", "Tuesday: Consolation"
    ]  # fmt: skip
    ranks = {row.entry.name: row.rank for row in Standing.objects.filter(ranking__event=event)}
    names = [[entry.name for entry in final.event.entries.all()] for final in finals]
    assert [len(names) for names in names] == [4, 4, 4]
    ranks_in_final_order = [ranks[name] for names in names for name in names]
    assert ranks_in_final_order == sorted(ranks_in_final_order)
    assert {entry.profile.seed for entry in finals[0].event.entries.all()} == {1, 2, 3, 4}
    assert {final.event.date for final in finals} == {NEXT_DAY}
    with pytest.raises(StageRefused, match="Undo the draw first"):
        scoring.services.set_stage_rules(event=event, stage_rules=None, by=user)


def test_carry_over_is_half_of_qualifying_plus_per_board_for_each_final_board() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    final = stage.finals.first().event
    session = seat_event(final, user, 4)  # 3 rounds of 2 boards
    scoring.services.open_session(session=session, by=user)
    ranking = score_event(Event.objects.get(pk=final.pk))
    stored_carry_overs = Final.objects.get(event=final).brought
    for number, carry_over in ranking.carry_overs_by_entry.items():
        qualifying_standing = find_standing(event, stored_carry_overs[str(number)]["from"])
        assert (
            carry_over.carried_tricks
            == Fraction(qualifying_standing.score) / qualifying_standing.boards * 6 / 2
        )
        assert carry_over.qualifying_board_count == 22
    evenings.enter_all_results(
        [
            (t.sitting_id, b, "7")
            for t in load_session_snapshot(session).tables
            for b in t.boards
        ],
        user,
    )
    recompute_standings(final.pk)
    for number, carry_over in ranking.carry_overs_by_entry.items():
        now = find_standing(final, number)
        assert (
            Fraction(now.score) == carry_over.carried_tricks
        )  # seven tricks everywhere give no plus
        assert Fraction(now.carried or 0) == carry_over.carried_tricks


@pytest.mark.slow
def test_qualifying_correction_changes_carry_over_but_not_finalists() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    final = stage.finals.first()
    session = seat_event(final.event, user, 4)
    scoring.services.open_session(session=session, by=user)
    names = [entry.name for entry in final.event.entries.all()]
    carry_overs_before = dict(final.brought)
    first_session = event.sessions.get()
    scoring.services.reopen_session(session=first_session, by=user)
    table = load_session_snapshot(first_session).tables[0]
    evenings.enter_result(first_session, table.sitting_id, table.boards[0], "13", user)
    recompute_standings(event.pk)
    final.refresh_from_db()
    assert final.brought != carry_overs_before
    assert final.told
    assert {item["entry"] for item in final.told} <= {1, 2, 3, 4}
    assert [entry.name for entry in final.event.entries.all()] == names
    stage.refresh_from_db()
    assert [
        drawn_round["entry"] for drawn_round in stage.drawn if drawn_round["final"] == "A final"
    ] == [carry_overs_before[number]["from"] for number in "1234"]


@pytest.mark.slow
def test_next_entry_replaces_withdrawal_before_draw() -> None:
    event, user = play_qualifying()
    first_standing = Standing.objects.filter(ranking__event=event).order_by("rank").first()
    rule = StageRules(RULE.finals, withdrawn_entries=(first_standing.entry.number,))
    scoring.services.set_stage_rules(event=event, stage_rules=rule, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    assert len(stage.drawn) == 11
    moved_up_rows = [drawn_round for drawn_round in stage.drawn if drawn_round["moved_up"]]
    assert [item["final"] for item in moved_up_rows] == ["A final", "B final"]


@pytest.mark.slow
def test_finals_draw_can_be_undone_until_a_final_begins() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    act = audit.list_acts(event).filter(action="stage.drawn").get()
    hall.history.undo.undo_event_act(event=event, act=act, by=user)
    assert not Final.objects.exists()
    assert Event.objects.filter(put_away_at=None).count() == 1
    undo_act = audit.list_acts(event).filter(action="stage.undrawn").get()
    hall.history.undo.undo_event_act(event=event, act=undo_act, by=user)
    assert Final.objects.count() == 3
    session = seat_event(Final.objects.first().event, user, 4)
    scoring.services.open_session(session=session, by=user)
    with pytest.raises(ActionUnavailable, match="has begun"):
        scoring.services.undo_finals(event=event, by=user)


@pytest.mark.slow
def test_finals_cannot_be_drawn_before_qualifying_is_closed() -> None:
    session, user = evenings.play_session(6)
    event = Event.objects.get(pk=session.event_id)
    scoring.services.set_stage_rules(
        event=event, stage_rules=StageRules((("A", 3), ("B", None))), by=user
    )
    with pytest.raises(ActionUnavailable, match="Close every session first"):
        scoring.services.draw_finals(event=event, by=user)


@pytest.mark.slow
def test_finalists_of_two_fields_are_ordered_by_score() -> None:
    event, user = play_qualifying(10, "compass")
    rule = StageRules((("A", 4), ("B", None)), carry_over_kind=CarryOverKind.NONE)
    scoring.services.set_stage_rules(event=event, stage_rules=rule, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    scores = {
        row.entry.number: Fraction(row.score)
        for row in Standing.objects.filter(ranking__event=event)
    }
    scores_in_draw_order = [scores[drawn_round["entry"]] for drawn_round in stage.drawn]
    assert scores_in_draw_order == sorted(scores_in_draw_order, reverse=True)
    assert score_event(stage.finals.first().event).carry_overs_by_entry == {}


@pytest.mark.slow
def test_fields_with_different_board_counts_are_ranked_by_score_per_board() -> None:
    session, user = evenings.play_session(
        9, movement="compass", rounds=4
    )  # some N-S pairs sit out
    event = session.event
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(event)
    rows = Standing.objects.filter(ranking__event=event).select_related("entry")
    scores_per_board = {row.entry.number: Fraction(row.score) / row.boards for row in rows}
    best_entry_number = max(scores_per_board, key=lambda number: scores_per_board[number])
    assert {row.entry.number for row in rows if row.wins_overall} == {best_entry_number}
    for placed_entry in (
        load_placed_entries(event),
        build_placed_entries(
            event,
            iter_entry_standings(load_rank_table(event, should_include_hidden_results=True)),
        ),
    ):
        entries = [
            row.entry_number
            for tied_entries in group_tied_entries(placed_entry)
            for row in tied_entries
        ]
        assert entries == sorted(scores_per_board, key=lambda number: -scores_per_board[number])
    (level_group,) = (field for field in load_rank_table(event).fields if field.is_level)
    assert all(row.a_board is None for row in level_group.rows)  # where no page shows it
    version = versions.store_version(event)
    assert version is not None
    assert sum("a_board" in row for row in version.rows) == 5


@pytest.mark.parametrize(
    ("rule_arguments", "expected_error"),
    [
        ({"finals": ()}, "There can be 1 to"),
        ({"finals": (("A", 4), ("a", None))}, "its own name"),
        ({"finals": (("A", 1), ("B", None))}, "at least two qualifiers"),
        ({"finals": (("A", None), ("B", 4))}, "Only the last"),
        ({"finals": (("A", None),), "criterion": FinalsCriterion.SECTIONS}, "each section"),
        ({"finals": (("A", 4),), "share": Fraction(2)}, "0–100%"),
        ({"finals": (("A", 4),), "cap": Fraction(0)}, "above 0"),
    ],
)
def test_invalid_finals_rule_is_refused_with_suggestion(
    rule_arguments, expected_error: str
) -> None:
    with pytest.raises(InvalidRule, match=expected_error):
        StageRules(**rule_arguments)


def test_finals_rule_round_trips_through_storage() -> None:
    rule = StageRules(
        (("A", None), ("B", None)),
        FinalsCriterion.SECTIONS,
        4,
        2,
        CarryOverKind.SHARE,
        Fraction(1, 3),
        Fraction(1, 2),
    )
    assert read_rules(rule.as_data()) == rule


@pytest.mark.slow
def test_finals_rule_can_be_undone() -> None:
    event, user = evenings.create_event(4)
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    other_stage_rules = StageRules((("A", 2), ("B", None)), carry_over_kind=CarryOverKind.NONE)
    scoring.services.set_stage_rules(event=event, stage_rules=other_stage_rules, by=user)
    for names in (["A final", "B final", "Consolation"], None):
        acts = audit.list_acts(event).filter(
            action="stage.settled", undone_by=None, undoes=None
        )
        hall.history.undo.undo_event_act(event=event, act=acts.first(), by=user)
        stage = Stage.objects.filter(event=event).first()
        assert (stage and [name for name, _size in stage.rule["finals"]]) == names


@pytest.mark.slow
def test_finals_draw_uses_current_scores_while_worker_is_behind() -> None:
    event, user = play_qualifying()
    last_entry_number = (
        Standing.objects.filter(ranking__event=event).order_by("-rank").first().entry.number
    )
    session = event.sessions.get()
    scoring.services.reopen_session(session=session, by=user)
    for table in (table for table in load_session_snapshot(session).tables if table.is_played):
        if last_entry_number in (table.ns.entries[0], table.ew.entries[0]):
            for board in table.boards:
                mark = "13" if table.ns.entries[0] == last_entry_number else "0"
                evenings.enter_result(session, table.sitting_id, board, mark, user)
    session.refresh_from_db()
    scoring.services.close_session(session=session, by=user)
    assert find_standing(event, last_entry_number).rank == 12  # no worker has run yet
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    assert (stage.drawn[0]["entry"], stage.drawn[0]["final"]) == (last_entry_number, "A final")


@pytest.mark.slow
def test_scorecard_and_running_scores_of_final_begin_with_carry_over() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    stage = scoring.services.draw_finals(event=event, date=NEXT_DAY, by=user)
    final = Event.objects.get(pk=stage.finals.earliest("order").event_id)
    session = scoring.services.open_session(session=seat_event(final, user, 4), by=user)
    tables = [table for table in load_session_snapshot(session).tables if table.is_played]
    evenings.enter_all_results(
        [
            (table.sitting_id, board, str((board + 3 * table.table_number) % 14))
            for table in tables
            for board in table.boards
        ],
        user,
    )
    recompute_standings(final.pk)
    final = Event.objects.get(pk=final.pk)
    ranking = score_event(final)
    assert any(item.carried_tricks for item in ranking.carry_overs_by_entry.values())
    running_scores = load_running_scores(final, ranking.scores_by_entry)
    for entry in final.entries.all():
        amount = ranking.carry_overs_by_entry[entry.number].carried_tricks
        card = load_scorecard(load_session_snapshot(session), entry, load_rank_table(final))
        assert card.rank is not None
        assert [part.score for part in card.parts if part.title == "Carry-forward"] == [amount]
        assert sum(part.score or 0 for part in card.parts) == card.rank.score
        assert running_scores.sums_by_entry[entry.number][0] == amount
        assert running_scores.sums_by_entry[entry.number][-1] == card.rank.score


def test_final_hides_corrected_score_of_unpublished_qualifying() -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    final = scoring.services.draw_finals(event=event, by=user).finals.first()
    session = seat_event(final.event, user, 4)
    scoring.services.open_session(session=session, by=user)
    first_session = event.sessions.get()
    table = load_session_snapshot(first_session).tables[0]
    evenings.enter_result(first_session, table.sitting_id, table.boards[0], "13", user)
    recompute_standings(event.pk)

    def list_changes(**options: bool) -> tuple[str, ...]:
        note = build_final_note(Event.objects.get(pk=final.event_id), **options)
        assert note is not None
        return note.correction_sentences

    assert list_changes()
    Event.objects.filter(pk=event.pk).update(standings_shown=Event.StandingsVisibility.NEVER)
    assert list_changes() == ()
    assert list_changes(should_include_hidden_results=True)
