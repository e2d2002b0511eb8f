"""Results are stored with their history; a stale screen overwrites nothing."""

import pytest

from clubs.errors import EntryConflict
from scoring import services
from scoring.errors import PaperRefused, PlayNotFound, TricksRefused
from scoring.models import Outcome, Paper, Result, ResultVersion
from scoring.services import close_session
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


def find_first_sitting(session: Session) -> Sitting:
    return Sitting.objects.get(section__session=session, round=1, table=1)


def record_mark(
    session: Session, user: User, mark: str, seen_score: str | None = "", board: int = 1
) -> Result:
    result = services.record_result(
        sitting=find_first_sitting(session),
        board_number=board,
        mark=mark,
        seen_score=seen_score,
        by=user,
    )
    return result.result


@pytest.mark.parametrize("mark", ["0", "7", "13"])
def test_zero_to_thirteen_tricks_are_accepted(mark: str) -> None:
    session, user = evenings.open_session()
    assert record_mark(session, user, mark).ns_tricks == int(mark)


@pytest.mark.parametrize(
    "mark", ["14", "-1", "8½", "eight", "٣", "1e1", "99999999999999999999"]
)
def test_invalid_trick_counts_are_refused_with_their_position(mark: str) -> None:
    session, user = evenings.open_session()
    with pytest.raises(TricksRefused, match=r"^Board 1, table 1: .* Enter 0–13"):
        record_mark(session, user, mark)
    assert not Result.objects.exists()


@pytest.mark.parametrize(
    "typed_value", ["9" * 5000, "0" * 5000, "1e9", "٧", "7.0", "+7", "1_0"]
)
def test_invalid_trick_counts_of_any_length_are_refused(typed_value: str) -> None:
    with pytest.raises(TricksRefused):
        services.results.parse_mark(typed_value)


def test_dash_marks_unplayed_board() -> None:
    session, user = evenings.open_session()
    assert record_mark(session, user, "-").outcome == Outcome.NOT_PLAYED


def test_each_entered_value_is_stored_with_author_and_channel() -> None:
    session, user = evenings.open_session()
    for mark, seen in (("8", ""), ("9", "8"), ("", "9"), ("5", "")):
        record_mark(session, user, mark, seen)
    result_versions = ResultVersion.objects.values_list(
        "number", "outcome", "ns_tricks", "by", "via"
    )
    assert list(result_versions) == [
        (1, "played", 8, "director", "grid"),
        (2, "played", 9, "director", "grid"),
        (3, "cleared", None, "director", "grid"),
        (4, "played", 5, "director", "grid"),
    ]


def test_double_click_creates_one_entry() -> None:
    session, user = evenings.open_session()
    record_mark(session, user, "8")
    record_mark(session, user, "8")
    assert ResultVersion.objects.count() == 1


def test_outdated_form_reports_conflicting_change() -> None:
    session, user = evenings.open_session()
    record_mark(session, user, "8")
    with pytest.raises(EntryConflict) as exc_info:
        record_mark(session, user, "9", seen_score="")
    assert str(exc_info.value) == ("Board 1, table 1: director has just entered N-S 8.")
    assert exc_info.value.current_value == "8"
    assert Result.objects.get().ns_tricks == 8


def test_result_for_board_of_another_round_is_refused() -> None:
    session, user = evenings.open_session()
    with pytest.raises(PlayNotFound, match="Board 5 isn’t played at table 1 in round 1"):
        record_mark(session, user, "8", board=5)


def test_sit_out_has_no_result() -> None:
    _session, user = evenings.open_session(pairs=5)
    sitting = Sitting.objects.get(round=1, east__entry=None)
    with pytest.raises(PlayNotFound, match="sit-out"):
        services.record_result(
            sitting=sitting,
            board_number=2 * sitting.board_group,
            mark="7",
            seen_score="",
            by=user,
        )


def test_single_players_at_incomplete_table_have_no_result() -> None:
    session, user = evenings.player_count(7)
    table = Sitting.objects.get(round=1, south__entry=None)
    missing_result_count_before = count_missing_results(session)
    with pytest.raises(PlayNotFound, match="sit-out"):
        services.record_result(
            sitting=table, board_number=table.boards[0], mark="7", seen_score="", by=user
        )
    with pytest.raises(PlayNotFound, match="sit-out"):
        services.make_ruling(
            kind="average", sitting=table, board_number=table.boards[0], by=user
        )
    assert count_missing_results(session) == missing_result_count_before


def test_scores_are_accepted_only_while_session_is_open() -> None:
    session, user = evenings.seat_session()
    with pytest.raises(ActionUnavailable, match="hasn’t started"):
        record_mark(session, user, "8")
    session, user = evenings.open_session()
    evenings.end_correction_period(session)
    close_session(session=session, by=user)
    with pytest.raises(ActionUnavailable, match="closed"):
        record_mark(session, user, "8")


def test_opening_can_be_undone_only_before_first_score() -> None:
    session, user = evenings.open_session()
    services.return_session_to_setup(session=session, by=user)
    session.refresh_from_db()
    assert session.state == Session.State.PLANNED
    session, user = evenings.open_session()
    record_mark(session, user, "8")
    with pytest.raises(ActionUnavailable, match="Scores have been entered"):
        services.return_session_to_setup(session=session, by=user)


def test_queued_document_is_not_ordered_twice() -> None:
    session, user = evenings.seat_session()
    orders = [
        services.order_paper(session=session, kind="travellers", size="A4", by=user)
        for _ in range(2)
    ]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("paper_kind", "paper_size"), [("napkins", "A4"), ("travellers", "A3")]
)
def test_unknown_document_is_refused(paper_kind: str, paper_size: str) -> None:
    session, user = evenings.seat_session()
    with pytest.raises(PaperRefused):
        services.order_paper(session=session, kind=paper_kind, size=paper_size, by=user)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["travellers", "guide_cards", "score_slips", "trump_slips", "ranking", "recap"]
)
def test_ordered_document_is_rendered_and_stored(
    kind: str, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session, user = evenings.play_session()
    with django_capture_on_commit_callbacks(execute=True):
        services.order_paper(session=session, kind=kind, size="A4", by=user)
    paper = Paper.objects.get()
    assert (paper.state, paper.error) == (Paper.State.READY, "")
    with paper.file.open("rb") as file:
        assert file.read(5) == b"%PDF-"


def test_failed_document_reports_error(
    django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, user = evenings.seat_session()

    def fail_to_write(*args: object) -> bytes:
        raise OSError("the disk is full")

    monkeypatch.setattr("scoring.papers.paper_files.draw_session_paper", fail_to_write)
    with pytest.raises(OSError, match="full"), django_capture_on_commit_callbacks(execute=True):
        services.order_paper(session=session, kind="travellers", size="A4", by=user)
    paper = Paper.objects.get()
    assert paper.state == Paper.State.FAILED
    assert "Printing failed" in paper.error


def test_concurrent_results_are_counted_individually() -> None:
    """Pages show how many changes are missing from the standings."""
    session, user = evenings.open_session()
    table = load_session_snapshot(session).tables[0]
    evenings.enter_all_results([(table.sitting_id, board, "7") for board in table.boards], user)
    revision_before = session.revision
    session.refresh_from_db()
    assert session.revision - revision_before == len(table.boards) == 2
