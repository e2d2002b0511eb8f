"""Two sessions of one event give winners per side or overall, with consistent totals."""

import csv
import io
import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from uuid import uuid4

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from exchange.results.event_results import load_results
from exchange.results.tables import build_csv_folder
from scoring.models import Standing, Terms
from scoring.services.changes import apply_seating_change
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.explanations import load_explanation_data
from scoring.sheets.ranks import index_rank_rows, load_rank_table
from scoring.sheets.standings_page import build_standings_page
from scoring.sheets.travellers import load_scorecard
from scoring.standings_engine import explanations, standings
from seasons.ladders.season_evenings import load_evenings_between
from seasons.people.sheets.own_page import load_own_page
from seasons.people.sheets.personal_data import build_personal_data
from seasons.people.sheets.records import load_player_record
from seasons.people.tasks import STATISTICS_JOB
from seasons.publishing.documents.values import PublishedEvent, read_published_document
from seasons.publishing.documents.writing import build_event_document
from seasons.publishing.feed import load_winners
from seasons.publishing.site.pages import (
    PageFrame,
    build_scorecard_file_name,
    iter_scorecard_rows,
    render_evening_page,
)
from server.models import User
from tests import evenings
from tournaments.models import Entry, Event, Place, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import LateArrival, Withdrawal, list_continuations
from tournaments.seating_snapshot import load_movement
from tournaments.sheets.ranking_notice import format_ranking_notice

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class TwoSessionCase:
    """One event of two sessions."""

    first_movement: tuple[str, int]
    second: str
    change: str
    by_hand: bool
    carry_over: str
    method: str = "plus_minus"

    def __str__(self) -> str:
        hand = "by hand" if self.by_hand else "proposed"
        movement = " ".join(map(str, self.first_movement))
        return f"{movement}, {self.change}, {self.second} {hand}, {self.carry_over}"


FIRST_MOVEMENTS = [("compass", 5), ("compass-relay", 7), ("howell", 6), ("one winner", 6)]
CHANGES = ["nothing", "late", "left", "new in session 2"]
SECOND_SEATINGS = [("mitchell", False), ("mitchell", True), ("howell", False)]
"""The movement of the second session, and whether its seats are chosen manually."""
# Each first movement is combined with each change once; the other parameters rotate.
CASES = [
    TwoSessionCase(
        movement, second, change, by_hand, carry, "plus_minus" if index % 5 else "matchpoints"
    )
    for index, (movement, change) in enumerate(product(FIRST_MOVEMENTS, CHANGES))
    for second, by_hand in (SECOND_SEATINGS[(index + index // 4) % 3],)
    for carry in (["1", "1/2", "0"][index % 3],)
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_two_session_event_has_winners_per_side_or_one_overall_ranking(
    case: TwoSessionCase,
) -> None:
    event = play_two_sessions(case)
    fields = list_ranks_by_field(event)
    assert set(fields) in ({"NS", "EW"}, {""})
    sides = list_sides_by_entry(event)
    have_entries_kept_sides = all(len(own) == 1 and "" not in own for own in sides.values())
    assert (set(fields) == {"NS", "EW"}) == have_entries_kept_sides
    is_possible = (
        case.first_movement[0] not in ("howell", "one winner") and case.second == "mitchell"
    )
    if is_possible and not case.by_hand:
        assert have_entries_kept_sides
    had_two_winners = case.first_movement[0] not in ("howell", "one winner")
    expected = (had_two_winners or case.second == "mitchell") and not have_entries_kept_sides
    assert bool(format_ranking_notice(event.sessions.get(number=2))) == expected
    for ranks_and_boards in fields.values():
        assert min(rank for rank, _boards in ranks_and_boards) == 1
    winner_count = sum(
        rank == 1 and boards > 0 for own in fields.values() for rank, boards in own
    )
    assert len(load_winners([event])[event.pk]) == winner_count
    assert_consistent_scores(event)


@pytest.mark.slow
def test_total_with_partial_carry_over_has_no_score_per_board() -> None:
    event = play_two_sessions(TwoSessionCase(("compass", 5), "mitchell", "late", False, "1/2"))
    for unequal_boards, is_known in (
        (Terms.UnequalBoardsScore.PER_BOARD, True),
        (Terms.UnequalBoardsScore.TOTAL, False),
    ):
        scoring.services.set_scoring_terms(
            event=event,
            method="plus_minus",
            carry_over="1/2",
            unequal_boards=unequal_boards,
            by=None,
        )
        event = Event.objects.get(pk=event.pk)
        standings.update_standings(event)
        page = build_standings_page(event, load_rank_table(event))
        assert page is not None
        rows = [row for field in page.fields for row in field.rows]
        assert {row.score_per_board is not None for row in rows} == {is_known}


def assert_consistent_scores(event: Event) -> None:
    """Check that every page, paper, export and response has the score of the standings."""
    table = load_rank_table(event)
    rows = index_rank_rows(table)
    snapshots = [load_session_snapshot(session) for session in event.sessions.all()]
    explanation_data = load_explanation_data(event)
    document = build_event_document(event)
    published_event = read_published_document(document)
    assert isinstance(published_event, PublishedEvent)
    response = json.loads(Client().get(f"/api/events/{event.slug}/standings/").content)
    lines = [
        {
            row["entry"]: Fraction(row["score"])
            for field in score_groups
            for row in field["rows"]
        }
        for score_groups in (document["fields"], response["rankings"])
    ]
    files = build_csv_folder(load_results(event, has_full_names=True))
    text = files["standings.csv"].decode().removeprefix("\ufeff")
    lines.append(
        {
            int(row["entry"]): Fraction(row["score_exact"] or row["score"])
            for row in csv.DictReader(io.StringIO(text))
        }
    )
    ladder = load_evenings_between(event.club_id, event.date, event.date, {"plus"})
    (evening,) = [item for item in ladder if item.key == event.slug]
    lines.append(
        {
            entry.entry_number: entry.score
            for entry in evening.entries
            if entry.score is not None
        }
    )
    carry_over_share = Fraction(event.terms.carry_over)
    a_board = {entry.entry_number: entry.plus_per_board for entry in evening.entries}
    for entry in event.entries.all():
        score = rows[entry.number].score
        assert {line[entry.number] for line in lines} == {score}
        assert (
            explanations.explain_score(explanation_data.explainers, entry.number).amount
            == score
        )
        total_plus = Fraction()
        boards, counted_boards = 0, Fraction()
        for room in snapshots:
            card = load_scorecard(room, entry, table)
            assert sum(carry_over_share.score or 0 for carry_over_share in card.parts) == score
            scored_lines = [line for line in card.lines if line.score is not None]
            boards += len(scored_lines)
            counted_boards += len(scored_lines) * (
                1 if room is snapshots[-1] else carry_over_share
            )
            total_plus += sum(
                (line.score for line in scored_lines if line.score is not None), Fraction()
            )
        assert boards == rows[entry.number].boards
        row = rows[entry.number]
        if row.a_board and row.boards:
            assert row.counted_boards == counted_boards
            assert row.a_board == score / counted_boards
            assert any("boards count" in note for note in row.notes) == (
                counted_boards != boards
            )
        if event.terms.method == "plus_minus":
            card_html = render_evening_page(
                published_event, build_scorecard_file_name(entry.number), PageFrame()
            )
            assert card_html is not None
            played_sessions = {
                line.board.session
                for line in iter_scorecard_rows(published_event, entry.number)
            }
            heading_count = card_html.count('scope="rowgroup"')
            assert heading_count == (len(played_sessions) if len(played_sessions) > 1 else 0)
            table_footer = card_html.partition("<tfoot>")[2].partition("</tfoot>")[0]
            assert (
                sum(
                    line.score or 0
                    for line in iter_scorecard_rows(published_event, entry.number)
                )
                == total_plus
            )
            assert table_footer.count("<tr>") == (1 if total_plus == score else 2)
            assert a_board[entry.number] == (score / counted_boards if counted_boards else None)
            for person in entry.players.all():
                assert_person_totals(person, total_plus, boards)


def assert_person_totals(person, plus: Fraction, boards: int) -> None:
    """Check that a person's pages have the sum of the sessions' published plus and minus."""
    (public,) = load_player_record(person).evenings
    (own,) = load_own_page(person).evenings
    (personal_data,) = build_personal_data(person)["evenings"]
    assert (
        public.tricks_above_average
        == own.tricks_above
        == Fraction(personal_data["tricks_above"])
        == plus
    )
    assert public.board_count == own.board_count == boards
    partners = load_player_record(person).partners
    assert {partner.tricks_above_average for partner in partners} == {plus}
    assert (
        sum(
            side.tricks_above_average_per_board * side.board_count
            for side in load_player_record(person).sides
        )
        == plus
    )


def play_two_sessions(case: TwoSessionCase) -> Event:
    """Play an event of two sessions with rulings in each, to its end."""
    name, pairs = case.first_movement
    options = {"one_winner": True} if name == "one winner" else {}
    movement = "compass" if name == "one winner" else name
    first_session, user = evenings.open_session(
        pairs, movement=movement, boards_a_round=1, **options
    )
    event = first_session.event
    Event.objects.update(uid=uuid4())  # copies share stamps, by which explanations are cached
    Terms.objects.update(carry_over=case.carry_over, method=case.method)
    play_round(first_session, user, last_round=1)
    section = first_session.sections.get()
    if case.change in ("late", "left"):
        change = LateArrival() if case.change == "late" else Withdrawal(2)
        apply_seating_change(
            section=section,
            rounds_played=1,
            incident=change,
            continuation_key=list_continuations(load_movement(section), 1, change)[0].key,
            incident_data={"kind": case.change, "names": ["Ada Late", "Bo Late"], "round": 1},
            names=["Ada Late", "Bo Late"] if case.change == "late" else (),
            by=user,
        )
    play_round(first_session, user)
    make_rulings(first_session, user)
    scoring.services.close_session(session=first_session, by=user)
    second_session = tournaments.services.add_session(event=event, by=user)
    if case.change == "new in session 2":
        tournaments.services.create_entry(event=event, names=["Ada New", "Bo New"], by=user)
    count = event.entries.count()
    if case.second == "howell":
        second_movement = build_named_movement("howell", pairs=count)
    else:
        name = "compass" if (count + 1) // 2 % 2 else "compass-relay"
        second_movement = build_named_movement(name, pairs=count)
    section = tournaments.services.seat_section(
        session=second_session, movement=second_movement, boards_a_round=1, by=user
    )
    if case.by_hand:
        seats = {
            place.number: place.entry
            for place in section.places.select_related("entry")
            if place.entry is not None
        }
        ns, ew = (
            next(p for p in seats if second_movement.get_field_name(p) == side)
            for side in ("NS", "EW")
        )
        seats[ns], seats[ew] = seats[ew], seats[ns]
        tournaments.services.assign_seats(section=section, entries_by_place=seats, by=user)
    second_session.refresh_from_db()
    scoring.services.open_session(session=second_session, by=user)
    play_round(second_session, user)
    make_rulings(second_session, user)
    scoring.services.close_session(session=second_session, by=user)
    event = Event.objects.get(pk=event.pk)
    standings.update_standings(event)
    STATISTICS_JOB.run(event.pk)
    return event


def play_round(session: Session, user: User, last_round: int = 99) -> None:
    """Enter the missing results of all rounds up to one."""
    snapshot = load_session_snapshot(Session.objects.get(pk=session.pk))
    evenings.enter_all_results(
        [
            (
                table.sitting_id,
                board,
                str((3 * board + 5 * table.table_number + 2 * table.round) % 14),
            )
            for table in snapshot.tables
            if table.is_played and table.round <= last_round
            for board in table.boards
            if (table.sitting_id, board) not in snapshot.results_by_play
        ],
        user,
    )


def make_rulings(session: Session, user: User) -> None:
    """Make an average, an adjusted score and a penalty."""
    tables = [t for t in load_session_snapshot(session).tables if t.is_played]
    for table, kind, terms in (
        (tables[0], "average", {}),
        (tables[-1], "adjusted", {"ns_tricks": "7", "ew_tricks": "5"}),
    ):
        scoring.services.make_ruling(
            sitting=Sitting.objects.get(pk=table.sitting_id),
            board_number=table.boards[0],
            kind=kind,
            reason="fouled",
            by=user,
            **terms,
        )
    scoring.services.make_ruling(
        kind="penalty",
        entry=Entry.objects.get(event=session.event, number=3),
        session=session,
        amount="1/2",
        reason="slow",
        by=user,
    )


def list_ranks_by_field(event: Event) -> dict[str, list[tuple[int, int]]]:
    """Return ranks and boards by field."""
    standings.update_standings(Event.objects.get(pk=event.pk))
    actual: dict[str, list[tuple[int, int]]] = {}
    for row in Standing.objects.filter(ranking__event=event).order_by("rank"):
        actual.setdefault(row.field, []).append((row.rank, row.boards))
    return actual


def list_sides_by_entry(event: Event) -> dict[int, set[str]]:
    """Return the sides of each entry in all sessions."""
    actual: dict[int, set[str]] = {}
    rows = Place.objects.filter(section__session__event=event, entry__isnull=False)
    for entry, side in rows.values_list("entry", "field"):
        actual.setdefault(entry, set()).add(side)
    return actual
