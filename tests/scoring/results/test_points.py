"""Results in points: recorded by the same service as tricks, refused if impossible."""

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

import scoring.services
from clubs.errors import EntryConflict
from scoring.errors import TermsRefused, TricksRefused
from scoring.methods import UnknownMethod
from scoring.methods.remedies import ImpossibleRuling
from scoring.models import Doubt, Outcome, Result
from scoring.services import undo_results
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine.scores import ScoredEvent, score_event
from server.models import User
from tests import evenings
from tournaments.models import Event, Session, Sitting

pytestmark = pytest.mark.django_db


def find_first_play(session: Session) -> tuple[Sitting, int]:
    table = load_session_snapshot(session).tables[0]
    return Sitting.objects.get(pk=table.sitting_id), table.boards[0]


def record_points(
    session: Session,
    user: User,
    mark: str,
    seen_score: str | None = None,
    trump: str | None = None,
) -> Result:
    sitting, board = find_first_play(session)
    return scoring.services.record_result(
        sitting=sitting,
        board_number=board,
        mark=mark,
        seen_score=seen_score,
        trump=trump,
        by=user,
    ).result


@pytest.mark.parametrize(
    ("typed_value", "points"),
    [
        ("120-40", (120, 40)),
        (" 120 – 40 ", (120, 40)),
        ("120 40", (120, 40)),
        ("120/0040", (120, 40)),
        ("0:0", (0, 0)),
        ("2000;2000", (2000, 2000)),
    ],
)
def test_points_are_accepted_with_any_separator(
    typed_value: str, points: tuple[int, int]
) -> None:
    mark = scoring.services.parse_mark(typed_value, max_points=2000)
    assert mark == (Outcome.PLAYED, None, *points)
    assert mark.mark == f"{points[0]}-{points[1]}"
    assert mark.ns_value == points[0] - points[1]


@pytest.mark.parametrize(
    "typed_value", ["8", "2001-0", "0-2001", "-40", "1-2-3", "٣-1", "9" * 5000]
)
def test_invalid_points_are_refused(typed_value: str) -> None:
    with pytest.raises(TricksRefused, match=r"e.g. 120-40, each 0–2000"):
        scoring.services.parse_mark(typed_value, max_points=2000)


@pytest.mark.slow
def test_error_message_names_board_and_table() -> None:
    session, user = evenings.play_points_event(empty=True)
    with pytest.raises(TricksRefused, match=r"^Board 1, table 1: “8” isn’t a score in points"):
        record_points(session, user, "8")


@pytest.mark.slow
def test_result_in_points_can_be_not_played_cleared_and_restored() -> None:
    session, user = evenings.play_points_event(empty=True)
    record_points(session, user, "120-40", trump="H")
    assert record_points(session, user, "-", seen_score="120-40").outcome == Outcome.NOT_PLAYED
    result = record_points(session, user, "", seen_score="-")
    undone_result = undo_results.undo_result(
        version=result.versions.get(number=3), by=user
    ).result
    assert undone_result.outcome == Outcome.NOT_PLAYED
    last_version = undone_result.versions.order_by("number").last()
    assert last_version is not None
    repeated_result = undo_results.undo_result(
        version=result.versions.get(number=2), last_seen_version_id=last_version.pk, by=user
    ).result
    assert (repeated_result.mark, repeated_result.trump) == ("120-40", "H")


@pytest.mark.slow
def test_stale_page_does_not_overwrite_points() -> None:
    session, user = evenings.play_points_event(empty=True)
    record_points(session, user, "120-40", seen_score="")
    assert not scoring.services.record_result(
        sitting=find_first_play(session)[0],
        board_number=1,
        mark="120 40",
        seen_score="",
        by=user,
    ).has_changed
    with pytest.raises(EntryConflict, match="N-S 120, E-W 40"):
        record_points(session, user, "130-40", seen_score="")
    assert record_points(session, user, "130-40", seen_score="120 40").mark == "130-40"


@pytest.mark.slow
def test_implausible_points_are_not_queried() -> None:
    session, user = evenings.play_points_event()
    record_points(session, user, "2000-0")
    assert not Result.objects.exclude(doubt=Doubt.NONE).exists()


def test_two_sides_are_swapped_in_points_too() -> None:
    session, user = evenings.play_points_event(empty=True)
    record_points(session, user, "120-40")
    sitting, board = find_first_play(session)
    swapped_result = scoring.services.swap_result_sides(
        sitting=sitting, board_number=board, by=user
    )
    assert swapped_result is not None
    assert swapped_result.mark == "40-120"


def test_database_stores_either_tricks_or_points_of_both_sides() -> None:
    session, user = evenings.play_points_event(empty=True)
    result = record_points(session, user, "120-40")
    for invalid_values in ({"ns_tricks": 7}, {"ew_points": None}, {"ns_points": 10_000}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Result.objects.filter(pk=result.pk).update(**invalid_values)


# ---------------------------------------------------------------- results that count


@pytest.mark.slow
def test_event_in_points_uses_field_average_by_default() -> None:
    session, _user = evenings.play_points_event()
    ranking = score_event(session.event)
    assert ranking.method.name == "points_field_average"
    event = session.event
    north_south = [entry.number for entry in event.entries.all()][:3]
    assert sum(ranking.scores_by_entry[entry] for entry in north_south) == 0


@pytest.mark.slow
@pytest.mark.parametrize("method", ["field_average", "plus_minus", "matchpoints", "points"])
def test_points_scores_match_an_independent_computation(method: str) -> None:
    """The expected scores are computed here from the typed input."""
    session, _user = evenings.play_points_event(method=method)
    ranking = score_event(session.event)
    net_points_by_entry: dict[int, int] = {}
    for table in load_session_snapshot(session).tables:
        for board in table.boards:
            won, lost = evenings.compute_points(board, table.table_number, table.round)
            for entry in table.ns.entries:
                net_points_by_entry[entry] = net_points_by_entry.get(entry, 0) + won - lost
            for entry in table.ew.entries:
                net_points_by_entry[entry] = net_points_by_entry.get(entry, 0) + lost - won
    assert dict(ranking.trick_totals_by_entry) == net_points_by_entry
    if method == "points":
        assert ranking.scores_by_entry == net_points_by_entry
    if method == "field_average":
        field = {entry: net for entry, net in net_points_by_entry.items() if entry <= 3}
        average = sum(field.values()) / 3
        assert all(
            ranking.scores_by_entry[entry_number] == net - average
            for entry_number, net in field.items()
        )


def test_teams_cannot_be_scored_in_points() -> None:
    with pytest.raises(TermsRefused, match="Teams are scored in tricks"):
        evenings.create_event(0, contest="teams", most_points=500)
    event, user = evenings.create_event(0, contest="teams")
    with pytest.raises(TermsRefused, match="Teams are scored in tricks"):
        scoring.services.set_scoring_terms(
            event=event, method="matches", most_points=500, by=user
        )


@pytest.mark.parametrize("limit", [0, 10_000])
def test_unreasonable_point_limit_is_refused(limit: int) -> None:
    with pytest.raises(TermsRefused, match="Enter 1–9999"):
        evenings.create_event(0, most_points=limit)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tricks", "matches", "victory_points"])
def test_method_for_tricks_is_refused_in_points_events(method: str) -> None:
    with pytest.raises(ValidationError, match="field_average"):
        evenings.create_event(0, method=method, most_points=500)
    event, user = evenings.create_event(0, most_points=500)
    with pytest.raises(UnknownMethod):
        scoring.services.set_scoring_terms(event=event, method=method, by=user)


def test_counted_unit_cannot_change_once_a_result_is_entered() -> None:
    session, user = evenings.play_points_event()
    event = Event.objects.get(pk=session.event_id)
    with pytest.raises(TermsRefused, match="are already in"):
        scoring.services.set_scoring_terms(
            event=event, method="plus_minus", most_points=None, by=user
        )
    with pytest.raises(TermsRefused, match="more points than that"):
        scoring.services.set_scoring_terms(
            event=event, method="plus_minus", most_points=100, by=user
        )
    scoring.services.set_scoring_terms(
        event=event, method="plus_minus", most_points=300, by=user
    )
    assert Event.objects.get(pk=event.pk).most_points == 300


@pytest.mark.slow
def test_event_in_tricks_can_change_to_points_before_a_result_is_entered() -> None:
    session, user = evenings.open_session()
    event = session.event
    scoring.services.set_scoring_terms(
        event=event, method="plus_minus", most_points=500, by=user
    )
    session.refresh_from_db()
    assert record_points(Session.objects.get(pk=session.pk), user, "120-40").mark == "120-40"


# ---------------------------------------------------------------- rulings

ADJUSTED_FORM = {"ns_tricks": "50", "ew_tricks": "-120", "reason": "agreed"}
WEIGHTED_FORM = {"ns_tricks": "220/3", "ew_tricks": "-220/3", "reason": "two thirds of 110"}
EMPTY_FORM: dict[str, str] = {}
RULING_CASES: list[tuple[str, dict[str, str], object]] = [
    ("average", EMPTY_FORM, None),
    ("adjusted", ADJUSTED_FORM, 50),
    ("adjusted", WEIGHTED_FORM, Fraction(220, 3)),
    ("noted", EMPTY_FORM, "as played"),
    ("fouled", EMPTY_FORM, "as played"),
    ("new_deal", EMPTY_FORM, "no line"),
]


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["pairs", "individual", "memory"])
def test_every_ruling_except_a_revoke_is_applied_in_points(contest: str) -> None:
    session, user = evenings.play_points_event(contest)
    sitting, board = find_first_play(session)
    won, lost = evenings.compute_points(board, 1, 1)
    for kind, terms, expected_points in RULING_CASES:
        ruling = scoring.services.make_ruling(
            kind=kind,
            sitting=sitting,
            board_number=board,
            by=user,
            **terms,
        )
        ranking = score_event(session.event)
        expected = won - lost if expected_points == "as played" else expected_points
        assert get_counted_score(ranking, sitting, board) == expected
        if terms is not ADJUSTED_FORM:
            assert sum(ranking.trick_totals_by_entry.values()) == 0
        scoring.services.withdraw_ruling(ruling=ruling, by=user)
        assert get_counted_score(score_event(session.event), sitting, board) == won - lost


def get_counted_score(scored: ScoredEvent, sitting: Sitting, board: int) -> object:
    for pool in scored.tally.pools_by_key.values():
        for play, line in zip(pool.plays, pool.lines, strict=True):
            if play == (sitting.pk, board):
                return line.ns_tricks
    return "no line"


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["pairs", "individual", "memory"])
def test_revoke_is_refused_and_penalty_subtracts_points(contest: str) -> None:
    session, user = evenings.play_points_event(contest, method="points")
    sitting, board = find_first_play(session)
    with pytest.raises(ImpossibleRuling, match=r"takes tricks for a revoke .* adjusted points"):
        scoring.services.make_ruling(
            kind="revoke",
            sitting=sitting,
            board_number=board,
            side="NS",
            revokes=1,
            won_before=2,
            by=user,
        )
    entry = session.event.entries.first()
    assert entry is not None
    score_before = score_event(session.event).scores_by_entry[entry.number]
    scoring.services.make_ruling(
        kind="penalty", entry=entry, session=session, amount="25", reason="late", by=user
    )
    assert score_event(session.event).scores_by_entry[entry.number] == score_before - 25
