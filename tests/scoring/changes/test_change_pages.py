"""The page for changes during play, on which a director enters what happened."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from scoring.models import Paper, Result
from scoring.services import close_session, open_session
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Entry, SeatingChange, Session
from tournaments.movements import build_named_movement
from tournaments.movements.balance import Spread
from tournaments.movements.changes.consequences import Fairness
from tournaments.services import PlannedSection, arrange_entries, seat_section, seat_sections
from tournaments.sheets.continuations.incident_words import describe_incident
from tournaments.sheets.continuations.ways import explain_statistics

pytestmark = pytest.mark.django_db

LATE_PAIR_QUERY = "kind=late&player1=Zoë+Whitfield&player2=Robert+Foster&from_round=3"
QUERIES_WITH_TEXTS = [
    ("kind=boards&round=2&table=4&board_group=4", "Table 4 played boards 7–8 in round 2."),
    (
        "kind=turned&table=3&first=1&last=2",
        "Table 3 played the wrong way round in rounds 1–2.",
    ),
    (
        "kind=exchanged&one=8&other=9&first=2&last=2",
        "swapped tables in round 2.",
    ),
    (
        LATE_PAIR_QUERY,
        "Zoë Whitfield &amp; Robert Foster arrived late, in time for round 3.",
    ),
    ("kind=left&place=3&from_round=3", "withdrew before round 3."),
]


@build_once
def play_two_rounds(pairs: int = 14, movement: str = "compass") -> tuple[Session, User]:
    session, user = evenings.open_session(pairs, movement=movement)
    plays = [
        (table.sitting_id, board, "7")
        for table in load_session_snapshot(session).tables
        if table.round <= 2 and table.is_played
        for board in table.boards
    ]
    evenings.enter_all_results(plays, user)
    return session, user


@pytest.fixture
def evening(client: Client) -> Session:
    session, user = play_two_rounds()
    client.force_login(user)
    return session


def build_change_url(session: Session) -> str:
    return f"/director/events/{session.event.slug}/change/"


@pytest.mark.slow
@pytest.mark.parametrize(("query", "expected_text"), QUERIES_WITH_TEXTS)
def test_change_page_applies_or_undoes_a_continuation_in_one_click(
    client: Client, evening: Session, query: str, expected_text: str
) -> None:
    response = client.get(f"{build_change_url(evening)}?{query}")
    page = response.content.decode()
    assert response.status_code == 200
    assert expected_text in page
    assert 1 <= page.count('name="way"') <= 3
    assert SeatingChange.objects.count() == 0
    form = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    fields = {name: value for name, value in form if name != "csrfmiddlewaretoken"}
    continuation_key = re.findall(r'name="way" value="([\w-]+)"', page)[0]
    results = list(Result.objects.order_by("pk").values_list("pk", "ns_tricks"))
    assert (
        client.post(build_change_url(evening), fields | {"way": continuation_key}).status_code
        == 302
    )
    change = SeatingChange.objects.get()
    assert expected_text in escape(describe_incident(change.what))
    assert list(Result.objects.order_by("pk").values_list("pk", "ns_tricks")) == results
    html = client.get(build_change_url(evening)).content.decode()
    assert ">Undo<span" in html
    assert client.post(f"{build_change_url(evening)}{change.pk}/undo/").status_code == 302
    change.refresh_from_db()
    assert change.undone_at is not None
    assert ">Undo<span" not in client.get(build_change_url(evening)).content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "kind=turned&table=99&first=1&last=2",
        "kind=turned&table=3",
        "kind=turned&table=3&first=2&last=1",
        "kind=exchanged&one=8&other=8&first=1&last=1",
        "kind=late&player1=&player2=&from_round=3",
    ],
)
def test_invalid_change_shows_an_error_next_to_its_field(
    client: Client, evening: Session, query: str
) -> None:
    response = client.get(f"{build_change_url(evening)}?{query}")
    page = response.content.decode()
    assert response.status_code == 400
    assert "field__error" in page or 'id="problems"' in page
    assert 'name="way"' not in page


def test_rounds_with_scores_are_never_changed(client: Client, evening: Session) -> None:
    page = client.get(
        f"{build_change_url(evening)}?kind=left&place=3&from_round=1"
    ).content.decode()
    assert "Rounds 1–2 are unchanged" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contest", "title", "name_count"),
    [
        ("pairs", "A pair arrives late", 2),
        ("individual", "A player arrives late", 1),
        ("teams", "A team arrives late", 4),
    ],
)
def test_late_entry_form_has_as_many_names_as_the_contest_needs(
    client: Client, contest: str, title: str, name_count: int
) -> None:
    event, user = evenings.create_event(0, contest=contest)
    names = {"pairs": 2, "individual": 1, "teams": 4}[contest]
    players = (
        [f"Player {number}{'abcd'[k]}" for k in range(names)]
        for number in range(5 if contest == "teams" else 8)
    )
    evenings.enter_everybody(event, players, user)
    entries = list(event.entries.order_by("number"))
    built_movement = {
        "pairs": lambda: build_named_movement("howell", pairs=8),
        "individual": lambda: build_named_movement("whist-individual", players=8),
        "teams": lambda: build_named_movement("howell-teams", teams=5),
    }[contest]()
    session = event.sessions.get()
    seating = arrange_entries(built_movement, entries)
    seat_section(
        session=session,
        movement=built_movement,
        entries_by_place=seating,
        boards_a_round=2,
        by=user,
    )
    open_session(session=session, by=user)
    client.force_login(user)
    page = client.get(build_change_url(session)).content.decode()
    assert title in page
    assert len(re.findall(r'name="player\d"', page)) == name_count
    text = "&".join(f"player{n}=Late+Comer+{n}" for n in range(1, name_count + 1))
    response = client.get(f"{build_change_url(session)}?kind=late&from_round=2&{text}")
    assert response.status_code == 200
    assert 2 <= response.content.decode().count('name="way"') <= 3
    assert "arrived late, in time for round 2" in response.content.decode()


@pytest.mark.slow
def test_page_shows_consequences_ways_and_balance_of_a_change(
    client: Client, evening: Session
) -> None:
    page = client.get(f"{build_change_url(evening)}?{LATE_PAIR_QUERY}").content.decode()
    check_consequences(page)
    check_continuations(page)
    check_balance(page)


def check_consequences(page: str) -> None:
    """Check that many consequences are counted, and listed on demand."""
    assert "The newcomer plays in rounds 3, 4, 5, 6 and 7." in page
    assert "5 sit out one more round." in page
    summary_html, _, affected_html = page.partition("Who is affected")
    assert "sits out round" not in summary_html
    assert affected_html.split("</details>")[0].count("sits out round") == 5


def check_continuations(page: str) -> None:
    """Check that one option is marked as the easiest."""
    first_continuation, *other_continuations = page.split('<li class="way">')[1:]
    assert "Recommended" in first_continuation
    assert other_continuations
    assert not any("Recommended" in other for other in other_continuations)


def check_balance(page: str) -> None:
    """Check that the balance is described in words."""
    assert "of 56 possible meetings take place (before the change 49 were possible)" in page
    assert "Comparisons show how often two play the same boards." in page
    assert "A narrower range is fairer." in page


@pytest.mark.slow
def test_page_reports_that_a_change_loses_nothing(client: Client) -> None:
    session, user = evenings.open_session(13)
    client.force_login(user)
    query = "kind=late&player1=Zoë+Whitfield&player2=Robert+Foster&from_round=2"
    page = client.get(f"{build_change_url(session)}?{query}").content.decode()
    assert "No one loses boards or opponents." in page


def test_each_way_for_a_late_pair_has_its_own_button(client: Client, evening: Session) -> None:
    page = client.get(f"{build_change_url(evening)}?{LATE_PAIR_QUERY}").content.decode()
    button_labels = re.findall(r'name="way"[^>]*>\s*([^<]+)<span', page)
    assert button_labels == ["Share the sit-outs", "Redraw, same boards", "Redraw, new boards"]
    assert "pair sits out each round" in page
    assert "Back to room" not in page
    query = dict(
        parameter.split("=") for parameter in LATE_PAIR_QUERY.replace("+", " ").split("&")
    )
    client.post(build_change_url(evening), query | {"way": "turns"})
    assert "Back to room" in client.get(build_change_url(evening)).content.decode()


def test_withdrawing_team_is_named_once(client: Client) -> None:
    event, user = evenings.create_event(0, contest="teams")
    evenings.enter_everybody(
        event, ([f"Player {number}{k}" for k in "abcd"] for number in range(5)), user
    )
    chosen = build_named_movement("howell-teams", teams=5)
    session = event.sessions.get()
    seating = arrange_entries(chosen, list(event.entries.order_by("number")))
    seat_section(
        session=session, movement=chosen, entries_by_place=seating, boards_a_round=2, by=user
    )
    open_session(session=session, by=user)
    client.force_login(user)
    page = client.get(build_change_url(session)).content.decode()
    match = re.search(r'<select[^>]*id="left_place".*?</select>', page, re.S)
    assert match is not None
    assert len(re.findall(r"<option", match[0])) == 5
    assert ">1: Player 0a" in match[0]


@pytest.mark.slow
def test_change_page_before_play_links_to_the_movement(client: Client) -> None:
    session, user = evenings.seat_session()
    client.force_login(user)
    page = client.get(build_change_url(session)).content.decode()
    assert "Before play, choose the movement again" in page
    response = client.post(
        build_change_url(session), {"kind": "left", "place": 1, "way": "empty"}
    )
    assert response.status_code == 200
    assert SeatingChange.objects.count() == 0


@pytest.mark.slow
def test_change_page_after_play_links_to_the_closing(client: Client) -> None:
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    client.force_login(user)
    page = client.get(build_change_url(session)).content.decode()
    assert "The session is closed. To change it, reopen it under Results" in page
    assert "Before play" not in page


@pytest.mark.slow
def test_change_page_executes_a_fixed_number_of_queries(client: Client) -> None:
    query_counts = []
    for pairs in (6, 14):
        session, user = evenings.open_session(pairs)
        client.force_login(user)
        client.get(build_change_url(session))  # of several events in play it is the current one
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{build_change_url(session)}?kind=left&place=2&from_round=2")
        query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1]
    assert query_counts[0] <= 25


def confirm_continuation(
    client: Client, session: Session, query: str, continuation_index: int = 0
) -> str:
    """Confirm the nth option; return the page that follows."""
    page = client.get(f"{build_change_url(session)}?{query}").content.decode()
    form = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    fields = {name: value for name, value in form if name != "csrfmiddlewaretoken"}
    chosen = re.findall(r'name="way" value="([\w-]+)"', page)[continuation_index]
    response = client.post(build_change_url(session), fields | {"way": chosen}, follow=True)
    return response.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pairs", "movement", "index"),
    [
        *((14, "compass", nth) for nth in (0, 1, 2)),  # the three ways are otherwise the same
        (13, "compass", 0),
        (15, "compass-skip", 1),
        (9, "howell", 2),
    ],
)
def test_page_shows_announcement_after_adding_a_late_pair(
    client: Client, pairs: int, movement: str, index: int
) -> None:
    evening, user = play_two_rounds(pairs, movement)
    client.force_login(user)
    page = confirm_continuation(client, evening, LATE_PAIR_QUERY, index)
    assert "Announce before round 3" in page
    announcement_html = page.partition('id="shout"')[2].partition("</section>")[0]
    newcomer = Entry.objects.get(name="Zoë Whitfield & Robert Foster")
    table = next(
        one_table
        for one_table in load_session_snapshot(evening).tables
        if one_table.round == 3
        and newcomer.number in (*one_table.ns.entries, *one_table.ew.entries)
    )
    line = next(item for item in announcement_html.split("<li>")[1:] if "Zoë Whitfield" in item)
    boards = f"boards {table.boards[0]}–{table.boards[-1]}."
    assert re.search(rf"[Tt]able {table.table_number}\b", line)
    assert escape(table.ns.name) in line
    assert escape(table.ew.name) in line
    assert boards in line
    assert sum("Zoë Whitfield" in item for item in announcement_html.split("<li>")[1:]) == 1


@pytest.mark.slow
def test_late_pair_before_first_score_is_announced_for_its_first_round(
    client: Client,
) -> None:
    evening, user = evenings.open_session(15, movement="compass-skip")
    client.force_login(user)
    page = confirm_continuation(
        client, evening, LATE_PAIR_QUERY.replace("from_round=3", "from_round=2")
    )
    assert "Announce before round 2" in page
    called = page.partition('id="shout"')[2].partition("</section>")[0]
    assert "Zoë Whitfield" in called.partition("<li>")[2]


def test_replaced_pair_is_told_to_sit_out(client: Client, evening: Session) -> None:
    page = confirm_continuation(client, evening, LATE_PAIR_QUERY)
    playing_numbers = {
        number
        for table in load_session_snapshot(evening).tables
        if table.round == 3 and table.is_played
        for number in (*table.ns.entries, *table.ew.entries)
    }
    resting_entries = evening.event.entries.exclude(number__in=playing_numbers)
    lines = [line for line in page.split("<li>") if "sit out this round." in line]
    assert len(lines) == resting_entries.count() == 1
    assert escape(resting_entries.get().name) in lines[0]


@pytest.mark.slow
def test_announcement_disappears_when_the_change_is_undone(
    client: Client, evening: Session
) -> None:
    assert "Announce before" in confirm_continuation(client, evening, LATE_PAIR_QUERY)
    client.post(f"{build_change_url(evening)}{SeatingChange.objects.get().pk}/undo/")
    assert "Announce before" not in client.get(build_change_url(evening)).content.decode()


@pytest.mark.slow
def test_paper_out_of_date_after_a_change_is_listed_with_a_button(
    client: Client, evening: Session
) -> None:
    for paper_kind in ("wall_sheet", "tray_labels"):
        Paper.objects.create(
            session=evening,
            kind=paper_kind,
            state=Paper.State.READY,
            ordered_at=timezone.now(),
            made_at=timezone.now(),
            file="papers/made.pdf",
        )
    page = confirm_continuation(client, evening, LATE_PAIR_QUERY)
    assert "Papers now out of date" in page
    assert 'name="kind" value="wall_sheet"' in page
    assert 'name="kind" value="tray_labels"' not in page


@pytest.mark.parametrize(
    ("range_before", "range_after", "text"),
    [
        ((4, 6), (5, 6), "More even than before."),
        ((4, 6), (3, 5), "As even as before."),
        ((4, 6), (6, 6), "All are equal: perfectly fair."),
        ((4, 6), (3, 6), "Now 3–6."),
        ((0, 0), (0, 0), "All are equal: perfectly fair."),
    ],
)
def test_balance_explanation_compares_before_and_after(
    range_before: tuple[int, int], range_after: tuple[int, int], text: str
) -> None:
    old, new_fairness = (
        Fairness(49, 56, Spread(*comparison_range), Spread(0, 1), group_count=8, round_count=7)
        for comparison_range in (range_before, range_after)
    )
    assert text in explain_statistics(old, new_fairness)[-1]


@pytest.mark.slow
def test_late_pair_is_assigned_to_the_section_with_a_half_table(client: Client) -> None:
    event, user = evenings.create_event(11)
    session = event.sessions.get()
    entries = list(event.entries.order_by("number"))
    planned_sections = [
        PlannedSection(build_named_movement("compass", pairs=6), {}, entries[:6]),
        PlannedSection(build_named_movement("compass", pairs=5), {}, entries[6:]),
    ]
    seat_sections(session=session, planned_sections=planned_sections, boards_a_round=1, by=user)
    open_session(session=session, by=user)
    client.force_login(user)
    page = client.get(build_change_url(session)).content.decode()
    assert re.findall(r'section=(\w)" aria-current="true"', page) == ["A"]
    # the links that mark the current section
    assert 'class="part-links" aria-label="Sections"' in page
    assert re.search(r'<option value="B" selected>\s*B, space available', page)
    late_pair_query = "kind=late&player1=Zoë+Whitfield&player2=Robert+Foster&from_round=2"
    html = client.get(f"{build_change_url(session)}?{late_pair_query}").content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    assert form["section"] == "B"
    continuation_key = re.findall(r'name="way" value="([\w-]+)"', html)[0]
    client.post(build_change_url(session), form | {"way": continuation_key})
    newest_entry = Entry.objects.get(number=12)
    assert set(newest_entry.places.values_list("section__letter", flat=True)) == {"B"}
    other_section_page = client.get(
        f"{build_change_url(session)}?{late_pair_query}&section=A"
    ).content.decode()
    assert 'name="section" value="A"' in other_section_page


@pytest.mark.slow
def test_late_and_withdrawing_pairs_come_first_on_the_page(client: Client) -> None:
    session, user = play_two_rounds()
    client.force_login(user)
    html = client.get(f"/director/events/{session.event.slug}/change/").content.decode()
    kinds = re.findall(r'<h2 id="kind-(\w+)"', html)
    assert kinds[:2] == ["late", "left"]
    assert sorted(kinds) == sorted(re.findall(r'href="#kind-(\w+)"', html))
