"""The standings page: leaders, bars, running scores, and the search by name."""

import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

import scoring.services
from printing.values import Heading
from scoring.models import Result
from scoring.secrecy import can_see_standings
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.ranks import index_rank_rows, load_rank_table, load_ranking_version
from scoring.sheets.short_names import (
    get_first_surname,
    join_words_to_length,
    shorten_to_surnames,
    split_partners,
)
from scoring.sheets.standings_page import (
    MAX_EXPANDED_ROWS,
    build_standings_page,
    find_entry_rows,
    lay_out_standings,
)
from scoring.sheets.values import RankedGroup, RankRow, RankTable
from scoring.standings_engine import standings
from scoring.standings_engine.running_scores import RunningScores, load_running_scores
from server.page_cache import PAGE_CACHE
from tests import evenings
from tests.copies import build_once
from tests.scoring.secrecy.test_totals import open_session
from tournaments.models import Event, Session

METHODS_BY_CONTEST = {
    "sit-outs": "plus_minus",
    "howell": "matchpoints",
    "teams": "matches",
    "individual": "tricks",
    "memory": "plus_minus",
}
MARKS = (8, 5, 11, 6, 9, 7, 4, 10, 3, 12)


@build_once
def open_contest(name: str) -> Session:
    """Return an event of a contest in play, with two thirds of its results."""
    session = open_session(name, METHODS_BY_CONTEST[name])
    snapshot = load_session_snapshot(session)
    plays = [
        (table.sitting_id, board)
        for table in sorted(snapshot.tables, key=lambda item: (item.round, item.table_number))
        for board in (table.boards if table.is_played else ())
    ]
    entered_results = [
        (sitting, board, str(MARKS[place % len(MARKS)]))
        for place, (sitting, board) in enumerate(plays[: -(-len(plays) * 2 // 3)])
    ]
    evenings.enter_all_results(entered_results, evenings.create_club_with_director()[1])
    return session


def read_standings_page(session: Session) -> str:
    """Return the page as an anonymous visitor sees it."""
    standings.update_standings(session.event)
    PAGE_CACHE.clear()
    return Client().get(f"/events/{session.event.slug}/").content.decode()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "is_closed", "standings_visibility"),
    list(product(METHODS_BY_CONTEST, (False, True), ("always", "after", "never"))),
)
def test_charts_and_winners_follow_the_visibility_of_the_standings(
    name: str, is_closed: bool, standings_visibility: str
) -> None:
    session = open_contest(name)
    Event.objects.update(standings_shown=standings_visibility)
    if is_closed:
        scoring.services.close_session(
            session=session, by=evenings.create_club_with_director()[1]
        )
    page = read_standings_page(session)
    event = Event.objects.get(pk=session.event_id)
    is_memory_hidden = name == "memory" and not is_closed
    are_standings_visible = standings_visibility != "never" and (
        is_closed or (standings_visibility == "always" and not is_memory_hidden)
    )
    for sign in ('class="podium', 'class="course"', 'class="gap-bar"', 'name="find"'):
        assert (sign in page) is are_standings_visible, sign
    if not are_standings_visible:
        return
    table = load_rank_table(event)
    running_scores = load_running_scores(
        event, {n: row.score for n, row in index_rank_rows(table).items()}
    )
    assert {
        entry: running_score[-1]
        for entry, running_score in running_scores.sums_by_entry.items()
    } == {entry: row.score for entry, row in index_rank_rows(table).items()}
    assert set(running_scores.rounds) == set(list_counted_rounds(session, closed=is_closed))


def list_counted_rounds(session: Session, *, closed: bool) -> Iterator[int]:
    """Yield the rounds that a table has completed, or begun once the session is closed."""
    entered_plays = {(result.sitting_id, result.board) for result in Result.objects.all()}
    for table in load_session_snapshot(session).tables:
        entered_count = sum(
            (table.sitting_id, board) in entered_plays for board in table.boards
        )
        if entered_count and (closed or entered_count == len(table.boards)):
            yield table.round


@pytest.mark.django_db
def test_unfinished_round_is_in_directors_running_scores_but_not_in_public_ones() -> None:
    session, user = evenings.open_session()
    first_table, *_ = load_session_snapshot(session).tables
    evenings.enter_result(session, first_table.sitting_id, first_table.boards[0], "8", user)
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    scores = {
        n: r.score
        for n, r in index_rank_rows(
            load_rank_table(event, should_include_hidden_results=True)
        ).items()
    }
    assert load_running_scores(event, scores, should_include_hidden_results=True).rounds == (1,)
    texts_by_key = {n: r.score for n, r in index_rank_rows(load_rank_table(event)).items()}
    assert load_running_scores(event, texts_by_key).rounds == ()


@pytest.mark.django_db
def test_running_score_is_the_sum_of_boards_so_far_against_their_averages() -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    rows = index_rank_rows(load_rank_table(event, should_include_hidden_results=True))
    course = load_running_scores(
        event, {n: row.score for n, row in rows.items()}, should_include_hidden_results=True
    )
    snapshot = load_session_snapshot(session)
    tricks_by_play = {
        (table, board): snapshot.results_by_play[table.sitting_id, board].ns_tricks
        for table in snapshot.tables
        for board in table.boards
    }
    for entry, running_score in course.sums_by_entry.items():
        for place, score_so_far in enumerate(running_score):
            expected_score = Fraction()
            for board, tables in snapshot.tables_by_board.items():
                whole = [tricks_by_play[table.sitting_id and table, board] for table in tables]
                average = Fraction(sum(whole), len(whole))
                for table in tables:
                    gap = tricks_by_play[table, board] - average if table.round <= place else 0
                    expected_score += gap if entry in table.ns.entries else 0
                    expected_score -= gap if entry in table.ew.entries else 0
            assert score_so_far == expected_score


@pytest.mark.django_db
def test_running_scores_that_disagree_with_the_final_score_are_omitted() -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    assert load_running_scores(event, {1: Fraction(99)}).rounds == ()
    page = build_standings_page(
        event,
        load_rank_table(event, should_include_hidden_results=True),
        should_include_hidden_results=True,
    )
    assert page is not None
    assert page.has_score_charts


@pytest.mark.django_db
def test_running_scores_include_penalties_and_carry_over() -> None:
    session, user = evenings.play_session()
    scoring.services.make_ruling(
        session=session,
        kind="penalty",
        entry=session.event.entries.get(number=1),
        amount="2",
        reason="late",
        by=user,
    )
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    scores = {
        n: r.score
        for n, r in index_rank_rows(
            load_rank_table(event, should_include_hidden_results=True)
        ).items()
    }
    scores_by_entry = load_running_scores(
        event, scores, should_include_hidden_results=True
    ).sums_by_entry
    assert {running_score[0] for running_score in scores_by_entry.values()} == {0}
    assert {
        entry: running_score[-1] for entry, running_score in scores_by_entry.items()
    } == scores


# ---------------------------------------------------------------- layout without a database


def build_row(
    entry: int, rank: int, score: int, *, is_tied: bool = False, boards: int = 28
) -> RankRow:
    """Return a placing."""
    name = f"Ada {entry}x & Bo {entry}y"
    return RankRow(
        rank, is_tied, entry, f"{entry} N-S", name, Fraction(score), None, Fraction(180), boards
    )


def build_layout(
    *rows: RankRow, method: str = "plus_minus", found_rows: tuple[RankRow, ...] = ()
):
    """Return one field of standings on a page, with a course of one round."""
    heading = Heading("Riverside Whist Club", "Tuesday", date(2026, 3, 10))
    fields = (RankedGroup("", "NS", None, rows),)
    table = RankTable(heading, method, fields, (), True, 0, 1)
    course = RunningScores((1,), {row.entry: (Fraction(), row.score) for row in rows})
    return lay_out_standings(table, course, "x", found_rows).fields[0]


@pytest.mark.parametrize("first", [1, 2, 3, 4, 7])
def test_tied_leaders_are_named_unless_there_are_too_many(first: int) -> None:
    rows = [build_row(n, 1, 5, is_tied=first > 1) for n in range(1, first + 1)]
    layout = build_layout(*rows, build_row(9, first + 1, -3))
    assert len(layout.leaders) == first
    assert layout.is_shared is (first > 1)
    assert layout.has_too_many_leaders is (first > 3)


@pytest.mark.parametrize("count", [1, MAX_EXPANDED_ROWS, MAX_EXPANDED_ROWS + 1, 26])
def test_long_field_is_expanded_only_for_a_name_found_in_folded_rows(
    count: int,
) -> None:
    rows = [build_row(n, n, 30 - n) for n in range(1, count + 1)]
    assert build_layout(*rows).is_long is (count > MAX_EXPANDED_ROWS)
    assert build_layout(*rows).is_expanded is False
    assert build_layout(*rows, found_rows=(rows[0],)).is_expanded is False
    assert build_layout(*rows, found_rows=(rows[-1],)).is_expanded is (
        count > MAX_EXPANDED_ROWS
    )


@pytest.mark.parametrize("method", ["plus_minus", "tricks", "matches"])
def test_bar_is_right_of_the_axis_above_average_and_left_below(method: str) -> None:
    layout = build_layout(
        build_row(1, 1, 9), build_row(2, 2, -3), build_row(3, 3, -6), method=method
    )
    assert [row.bar.is_positive for row in layout.rows] == [True, False, False]
    assert layout.rows[0].bar.width == "50"


def test_average_per_board_is_shown_if_numbers_of_boards_differ() -> None:
    uneven_layout = build_layout(
        build_row(1, 1, 8, boards=4), build_row(2, 2, 6, boards=2), build_row(3, 3, 0, boards=0)
    )
    assert [row.score_per_board for row in uneven_layout.rows] == [2, 3, 0]
    assert [
        row.score_per_board for row in build_layout(build_row(1, 1, 8), build_row(2, 2, 6)).rows
    ] == [
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("search_text", "entries"),
    [
        ("nowak", [2]),
        ("LUCJA now", [2]),
        ("pole", [1, 3]),
        ("2 n-s", [2]),
        ("3", [3]),
        ("", []),
        ("   ", []),
        ("nobody", []),
        ("%_'\"<b>", []),
    ],
)
def test_name_search_ignores_case_and_accents_and_finds_parts(
    search_text: str, entries: list[int]
) -> None:
    names = {1: "Ada Pole & Bo Jones", 2: "Łucja Nowak & Cy Clay", 3: "Di Pole & Eve Gale"}
    rows = [
        RankRow(n, False, n, f"{n} N-S", name, Fraction(), None, Fraction(), 2)
        for n, name in names.items()
    ]
    assert [row.entry for row in find_entry_rows(rows, search_text)] == entries


@pytest.mark.django_db
def test_searched_name_is_marked_without_javascript_and_kept_in_the_link() -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    name = session.event.entries.get(number=1).name.split()[0]
    page = Client().get(f"/events/{session.event.slug}/", {"find": name}).content.decode()
    marked_entries = re.findall(r'<tr data-entry="(\d+)"\s+class="[^"]*is-mine', page)
    assert marked_entries == ["1"]
    assert f'value="{name}"' in page
    assert re.search(r"</a>:\s+place =?\d", page)
    unmatched_page = (
        Client().get(f"/events/{session.event.slug}/", {"find": "<i>x"}).content.decode()
    )
    assert "is-mine" not in unmatched_page
    assert "“&lt;i&gt;x” not found." in unmatched_page


# ---------------------------------------------------------------- names in a small space


@pytest.mark.parametrize(
    ("short_name", "first"),
    [
        ("Pole & Nowak", "Pole"),
        ("B. & C. van Dyck", "van Dyck"),
        ("B. Pole & C. Nowak", "B. Pole"),
        ("The Aces", "The Aces"),
    ],
)
def test_narrow_chart_names_an_entry_by_one_surname(short_name: str, first: str) -> None:
    assert get_first_surname(short_name) == first


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Ada Pole & Łucja Nowak"], ["Pole & Nowak"]),
        (["Mr. Al Mott & Mrs. Bea Mott"], ["Mr. & Mrs. Mott"]),
        (["Ada Pole & Bo Pole", "Cy Clay & Di Gale"], ["A. & B. Pole", "Clay & Gale"]),
        (
            ["Ada Pole & Bo Gale", "Cy Pole & Di Gale", "Eve Mott & Fay Snow"],
            ["A. Pole & B. Gale", "C. Pole & D. Gale", "Mott & Snow"],
        ),
        (["The Larks", "Queenie Rudd"], ["The Larks", "Queenie Rudd"]),
        (["Ada & Bo"], ["Ada & Bo"]),
        (["Ada Pole & "], ["Pole & "]),
    ],
)
def test_surnames_keep_an_initial_if_two_are_the_same(
    names: list[str], short: list[str]
) -> None:
    assert [shorten_to_surnames(names)[name] for name in names] == short


@pytest.mark.parametrize(
    ("person", "short"),
    [
        ("Fiona Ó Briain", "Ó Briain"),
        ("Anna van der Berg", "van der Berg"),
        ("Billie Jean King", "King"),
        ("Van Morrison", "Morrison"),
        ("A player", "A player"),
        ("A. L.", "A. L."),
    ],
)
def test_surname_keeps_its_prefixes_and_suffixes(person: str, short: str) -> None:
    name = f"{person} & Bob Cross"
    assert shorten_to_surnames([name])[name] == f"{short} & Cross"


def test_long_name_is_split_only_between_partners() -> None:
    name = "Małgorzata Szczepańska-Błaszczykowska & Wojciech Brzęczyszczykiewicz"
    assert " ".join(split_partners(name)) == name
    assert len(split_partners(name)) == 2
    assert split_partners("The Larks") == ("The Larks",)


@pytest.mark.parametrize("room", [6, 11, 23])
def test_label_is_shortened_to_its_width(room: int) -> None:
    label_words = ("7", "Szczepańska-Błaszczykowska & Brzęczyszczykiewicz")
    assert len(join_words_to_length(label_words, room)) <= room
    assert join_words_to_length(("7", "Pym"), room) == "7 Pym"


@pytest.mark.django_db
@pytest.mark.parametrize("shown", Event.StandingsVisibility.values)
@pytest.mark.parametrize("standings_state", ["open", "behind", "closed"])
def test_poll_of_an_unchanged_page_executes_few_queries(
    shown: str, standings_state: str, django_assert_max_num_queries: Any
) -> None:
    """The visitor may see standings or not × they include all results or not."""
    session, _ = evenings.play_session()
    event = session.event
    Event.objects.filter(pk=event.pk).update(standings_shown=shown)
    if standings_state == "closed":
        scoring.services.close_session(session=session, by=None)
    standings.update_standings(event)
    if standings_state == "behind":
        Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)
    event = Event.objects.get(pk=event.pk)
    may = can_see_standings(event)
    version = load_ranking_version(event) if may else 0
    client, htmx_headers = Client(), {"HX-Request": "true"}
    path = f"/events/{event.slug}/standings/"
    is_quick = may and standings_state != "behind"
    with django_assert_max_num_queries(5 if is_quick else 20):
        response = client.get(path, {"seen": version}, headers=htmx_headers)
    other_response = client.get(path, {"seen": version + 1}, headers=htmx_headers)
    assert (response.status_code, other_response.status_code) == (204, 200)
    assert may == ((shown, standings_state) in VISITOR_CASES)


VISITOR_CASES = {
    ("always", "open"),
    ("always", "behind"),
    ("always", "closed"),
    ("after", "closed"),
}
