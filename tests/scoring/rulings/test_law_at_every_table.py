"""The assistant agrees with the law at every table of every movement, boards shared or not.

A session is played in memory, in an order that the test chooses and the program does not see:
it only knows which results are in. It must find the original play, or ask once. Sources: the
laws' definition e; Laws III §2, IV §8-10 and V; rules F1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from laws.book import SITUATIONS_BY_CODE, Advice, PlayFacts, get_advice, list_questions
from laws.book.questions import QuestionName
from scoring.errors import RulingRefused
from scoring.models import Outcome, Result, Ruling
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.assistant import PlayNeedingRuling, find_play
from scoring.standings_engine.result_lines import load_tally
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Session, Sitting
from tournaments.movements import SYSTEMS_BY_NAME
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

BOARD = 1
EXTRA_SIZES_BY_SYSTEM = {
    "compass-skip": [20],
    "compass-relay": [6, 20],
    "compass-hesitation": [6],
    "howell": [6, 8],
    "whist-individual": [16],
    "new-england-relay": [6, 10],
    "club-against-club": [4],
    "league-fours": [2],
}
DEFAULT_ANSWERS = {
    "quitted": "yes",
    "others_right": "yes",
    "caused": "no",
    "demand": "no",
}
ORDER_DEPENDENT_CODES = ("I4", "I5", "I8", "I9", "I10", "I11", "I12", "I36")


def list_movements() -> Iterator[Movement]:
    for system in SYSTEMS_BY_NAME.values():
        sizes = [size for size in range(1, 30) if system.fits_size(size)][:2]
        for size in dict.fromkeys([*sizes, *EXTRA_SIZES_BY_SYSTEM.get(system.name, ())]):
            yield system.build_movement(size)


@dataclass(frozen=True)
class Moment:
    """One table with a deal before it; `order` is the real order in which tables played it."""

    snapshot: SessionSnapshot
    tables_in_order: Sequence[SeatedTable]
    table_index: int  # index in `order` of the table with the incident
    played_count: int  # number of tables that have played the deal

    @property
    def current_table(self) -> SeatedTable:
        return self.tables_in_order[self.table_index]

    def find_current_play(self) -> PlayNeedingRuling:
        """Find the play of this table, giving the round if the program needs it."""
        table_location = self.current_table.section, self.current_table.table_number
        play = find_play(self.snapshot, BOARD, *table_location)
        assert play is not None
        if not play.is_settled:
            play = find_play(
                self.snapshot, BOARD, *table_location, round_number=self.current_table.round
            )
            assert play is not None
        assert play.table == self.current_table
        return play

    def build_true_answers(self, facts: PlayFacts) -> dict[str, str]:
        """Return the answers of a witness."""
        is_overplayed = self.played_count > 1
        return DEFAULT_ANSWERS | {
            QuestionName.FIRST_TABLE: str(self.tables_in_order[0].table_number),
            QuestionName.OVERPLAYED: "yes" if is_overplayed else "no",
            QuestionName.WHEN_DEALT: "yes" if self.table_index == 0 else "lost",
        }


def build_side(movement: Movement, places: Sequence[int]) -> SeatedSide:
    is_teams = movement.contest is Contest.TEAMS
    entries = tuple(movement.get_team_number(place) if is_teams else place for place in places)
    return SeatedSide(tuple(dict.fromkeys(entries)), tuple(places), "", "", "")


def build_table(movement: Movement, meeting: Meeting, sitting_id: int) -> SeatedTable:
    return SeatedTable(
        sitting_id=sitting_id,
        section="A",
        round=meeting.round,
        table_number=meeting.table,
        label=str(meeting.table),
        board_group=meeting.board_group,
        boards=range(BOARD, BOARD + 1),
        ns=build_side(movement, meeting.ns),
        ew=build_side(movement, meeting.ew),
    )


def list_moments(movement: Movement) -> Iterator[Moment]:
    """Yield each table before and after it plays a deal, for two orders of play."""
    groups = sorted({meeting.board_group for meeting in movement.played_meetings})
    for group, is_reversed in product({groups[0], groups[-1]}, (False, True)):
        plays = [
            meeting for meeting in movement.played_meetings if meeting.board_group == group
        ]
        tables = [build_table(movement, play, key) for key, play in enumerate(plays, start=1)]
        rounds = [
            list(tables_of_round)
            for _, tables_of_round in groupby(tables, key=lambda table: table.round)
        ]
        order = [
            table
            for tables_of_round in rounds
            for table in (tables_of_round[::-1] if is_reversed else tables_of_round)
        ]
        for number in range(len(order) + 1):
            results = {
                (table.sitting_id, BOARD): Result(
                    board=BOARD, outcome=Outcome.PLAYED, ns_tricks=7
                )
                for table in order[:number]
            }
            seated = SessionSnapshot(Session(), [], tables, [], results)
            for turn in {min(number, len(order) - 1), max(number - 1, 0)}:
                yield Moment(seated, order, turn, number)


def compute_expected_ruling(
    code: str, moment: Moment, tables: int
) -> tuple[str, str, SeatedTable | None]:
    """Return the law's effect, another situation to apply, and the table ruled on."""
    is_original_play, has_few_tables = moment.table_index == 0, tables < 3
    spoiled_effect = "new_deal" if has_few_tables else "average"
    if code == "I10":
        is_averaged = moment.played_count > 1 and not has_few_tables
        return (
            ("average", "", moment.tables_in_order[0])
            if is_averaged
            else ("new_deal", "", moment.current_table)
        )
    original_play_effects = dict.fromkeys(("I4", "I5", "I36"), ("new_deal", ""))
    overplay_effects = {
        "I4": ("noted", "I11"),
        "I5": ("noted", "I12"),
        "I9": (spoiled_effect, ""),
        "I11": (spoiled_effect, ""),
        "I36": ("noted", "I12"),
    }
    if is_original_play:
        effect, other_situation_code = original_play_effects.get(code, ("noted", "I4"))
    else:
        effect, other_situation_code = overplay_effects.get(code, ("noted", ""))
    return effect, other_situation_code, moment.current_table


def answer_questions(code: str, moment: Moment, play: PlayNeedingRuling) -> tuple[Advice, int]:
    """Answer one question after another; count those about the order of play."""
    truth = moment.build_true_answers(play.facts)
    answers: dict[str, str] = (
        {QuestionName.ROUND_OF_BOARD: str(moment.current_table.round)} if play.rounds else {}
    )
    advice = get_advice(code, answers, play.facts)
    while advice.open_questions:
        question_name = advice.open_questions[0].name
        answers[question_name] = truth[question_name]
        advice = get_advice(code, answers, play.facts)
    return advice, len({QuestionName.ROUND_OF_BOARD, QuestionName.FIRST_TABLE} & set(answers))


@pytest.mark.slow
@pytest.mark.parametrize(
    "movement", list(list_movements()), ids=lambda item: f"{item.name}-{item.place_count}"
)
def test_law_applies_correctly_at_every_table(movement: Movement) -> None:
    max_question_count = 0
    for moment in list_moments(movement):
        actual = moment.find_current_play()
        foursomes = {
            (item.table_number, frozenset(item.ns.entries + item.ew.entries))
            for item in moment.tables_in_order
        }
        assert actual.facts.table_count == len(foursomes)
        assert actual.facts.is_overplayed == (moment.played_count > 1)
        for code in ORDER_DEPENDENT_CODES:
            advice, question_count = answer_questions(code, moment, actual)
            ruled_table = (
                actual.find_original_play(moment.build_true_answers(actual.facts))
                if advice.is_for_original_table
                else actual.table
            )
            texts = advice.effect.value, advice.other_situation_code, ruled_table
            assert texts == compute_expected_ruling(code, moment, len(foursomes)), (
                code,
                moment,
            )
            assert question_count <= 1
            max_question_count = max(max_question_count, question_count)
    assert max_question_count == any(
        has_ambiguous_order(moment.tables_in_order) for moment in list_moments(movement)
    )


def has_ambiguous_order(order: Sequence[SeatedTable]) -> bool:
    """Return whether tables share the deal when first played, or one plays it twice."""
    starters = [item for item in order if item.round == order[0].round]
    return len(starters) > 1 or len({item.table_number for item in order}) < len(order)


@pytest.mark.parametrize(
    "code", [code for code in SITUATIONS_BY_CODE if code not in ORDER_DEPENDENT_CODES]
)
def test_other_situations_ask_same_questions_at_every_table(code: str) -> None:
    original, overplay_facts = (
        PlayFacts(7, is_original_play=True),
        PlayFacts(7, is_original_play=False),
    )
    play_facts = PlayFacts(2, is_original_play=None, table_name="1", first_tables=("1", "4"))
    assert (
        list_questions(code, {}, play_facts)
        == list_questions(code, {}, original)
        == list_questions(code, {}, overplay_facts)
    )


@pytest.mark.parametrize("code", ["I4", "I9", "I11", "I12"])
def test_first_table_to_play_is_asked_only_if_unknown(code: str) -> None:
    play_facts = PlayFacts(4, is_original_play=None, table_name="1", first_tables=("1", "4"))
    (question,) = list_questions(code, {}, play_facts)
    assert (question.name, question.choices) == (
        QuestionName.FIRST_TABLE,
        (("1", "1"), ("4", "4")),
    )
    for known_facts in (
        PlayFacts(4, is_original_play=True),
        PlayFacts(4, is_original_play=False),
    ):
        assert QuestionName.FIRST_TABLE not in [
            question.name for question in list_questions(code, {}, known_facts)
        ]


@pytest.fixture
@build_once
def relay() -> tuple[Session, User]:
    """Return four tables with relay and share: tables 1 and 4 share board 1 in round 1."""
    session, user = evenings.open_session(8, movement="compass-relay")
    assert [
        item.table_number for item in load_session_snapshot(session).tables_by_board[BOARD]
    ][:2] == [
        1,
        4,
    ]
    return session, user


@pytest.mark.django_db
def test_fouled_overplay_gets_average_and_original_play_keeps_score(
    client: Client, relay: tuple[Session, User]
) -> None:
    session, user = relay
    first = load_session_snapshot(session).tables_by_board[BOARD][0]
    evenings.enter_result(session, first.sitting_id, BOARD, "8", user)
    client.force_login(user)
    message = {"code": "I11", "board": BOARD, "table": "A-4", "asked": "1"}
    ruling_url = f"/director/events/{session.event.slug}/ruling/"
    assert "Overplay." in client.get(ruling_url, message).content.decode()
    client.post(f"{ruling_url}record/", message)
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.law) == ("average", "V.1")
    assert [line.ns_tricks for line in load_tally(session.event).lines] == [8, None]


@pytest.mark.django_db
def test_first_table_to_play_is_asked_once_and_remembered(
    client: Client, relay: tuple[Session, User]
) -> None:
    session, user = relay
    client.force_login(user)
    message = {"code": "I11", "board": BOARD, "table": "A-4", "asked": "1"}
    address = f"/director/events/{session.event.slug}/ruling/"
    asked_first = client.get(address, message).content.decode()
    assert "Which played it first?" in asked_first
    assert "Please answer this." in asked_first
    client.post(f"{address}record/", message)
    assert not Ruling.objects.exists()
    original = client.get(address, message | {"first": "4"}).content.decode()
    assert "code=I4&amp;board=1&amp;table=A-4&amp;first=4" in original
    client.post(f"{address}record/", message | {"first": "1"})
    assert Ruling.objects.get().kind == "average"


@pytest.mark.django_db
def test_table_sharing_boards_plays_new_deal(relay: tuple[Session, User]) -> None:
    session, user = relay
    first, second, later, _last = load_session_snapshot(session).tables_by_board[BOARD]
    ruling = scoring.services.make_ruling(
        sitting=Sitting.objects.get(pk=first.sitting_id),
        board_number=BOARD,
        kind="new_deal",
        law="III.2",
        by=user,
    )
    for tricks, table in enumerate((first, second, later), start=6):
        evenings.enter_result(session, table.sitting_id, BOARD, str(tricks), user)
    ruled_plays = load_tally(session.event).ruled_results_by_play
    lines = [ruled_plays[item.sitting_id, BOARD].result_line for item in (first, second, later)]
    assert [line and line.ns_tricks for line in lines] == [6, 7, 8]
    assert len({line and line.deal_number for line in lines}) == 1
    assert find_play(load_session_snapshot(session), BOARD, "A", 1).facts.is_original_play
    assert not find_play(load_session_snapshot(session), BOARD, "A", 4).facts.is_original_play
    with pytest.raises(RulingRefused):
        scoring.services.withdraw_ruling(ruling=ruling, by=user)


@pytest.mark.django_db
def test_first_play_of_new_deal_is_original_and_old_plays_do_not_count() -> None:
    session, user = evenings.open_session(8, movement="compass-relay")
    first, second, third, last = load_session_snapshot(session).tables_by_board[BOARD]
    for table in (first, second):
        evenings.enter_result(session, table.sitting_id, BOARD, "7", user)
    scoring.services.make_ruling(
        sitting=Sitting.objects.get(pk=third.sitting_id),
        board_number=BOARD,
        kind="new_deal",
        law="IV.10",
        by=user,
    )
    seated = load_session_snapshot(session)
    assert find_play(seated, BOARD, "A", first.table_number) is None
    new_deal_play, new_deal_overplay = (
        find_play(seated, BOARD, "A", item.table_number) for item in (third, last)
    )
    assert new_deal_play is not None
    assert new_deal_overplay is not None
    assert (new_deal_play.facts.is_original_play, new_deal_play.facts.table_count) == (True, 2)
    assert (new_deal_overplay.facts.is_original_play, new_deal_overplay.facts.table_count) == (
        False,
        2,
    )


@pytest.mark.django_db
def test_memory_duplicate_distinguishes_original_and_overplay_by_round(
    client: Client,
) -> None:
    event, user = evenings.create_event(2, contest="memory")
    session = event.sessions.get()
    movement = SYSTEMS_BY_NAME["memory"].build_movement(2)
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=1, by=user
    )
    session = scoring.services.open_session(session=session, by=user)
    table = load_session_snapshot(session).tables_by_board[BOARD][0]
    client.force_login(user)
    message = {"code": "I11", "board": BOARD, "table": "A-1"}
    address = f"/director/events/{session.event.slug}/ruling/"
    html_before = client.get(address, message).content.decode()
    assert "Original play." in html_before
    assert "1 table plays this deal." in html_before
    evenings.enter_result(session, table.sitting_id, BOARD, "8", user)
    html = client.get(address, message).content.decode()
    assert "In which round was it?" in html
    assert "Overplay." in client.get(address, message | {"round": "2"}).content.decode()
    client.post(f"{address}record/", message)
    assert not Ruling.objects.exists()
    client.post(f"{address}record/", message | {"round": "2"})
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.result and ruling.result.sitting.round) == ("new_deal", 2)
