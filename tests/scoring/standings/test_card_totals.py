"""The total row of a scorecard adds up, also if entries played different boards."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from django.template.loader import render_to_string

import scoring.services
from scoring.models import Terms
from scoring.services import close_session, open_session
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.travellers import load_scorecard
from scoring.standings_engine import standings
from scoring.standings_engine.running_scores import load_running_scores
from scoring.standings_engine.scores import score_event
from scoring.templatetags.scoring import get_comparison_average
from server.models import User
from tests import evenings
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.services import add_session, seat_section

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_averages_on_a_scorecard_are_those_used_for_its_score() -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    snapshot = load_session_snapshot(session)
    for entry in session.event.entries.all():
        card = load_scorecard(snapshot, entry, load_rank_table(session.event))
        assert card.rank is not None
        average = get_comparison_average(card)
        assert average is not None
        assert card.rank.tricks - average == card.rank.score


def test_scorecard_with_another_average_does_not_show_the_field_average() -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    card = load_scorecard(
        load_session_snapshot(session),
        session.event.entries.all()[0],
        load_rank_table(session.event),
    )
    assert card.field_average is not None
    card_with_other_average = replace(card, field_average=card.field_average - 7)
    template_context = {
        "card": card_with_other_average,
        "access": EventAccess(session.event),
        "event": session.event,
        "club": session.event.club,
    }
    html = render_to_string("scoring/scorecard.html", template_context)
    assert "is the average of these boards" in html
    assert "is the field’s average" not in html
    assert get_comparison_average(replace(card, lines=(), field_average=Fraction(9))) == 9
    assert get_comparison_average(replace(card, rank=None)) is None


@pytest.mark.parametrize("carry_over", ["1", "1/2"])
@pytest.mark.parametrize("method", ["plus_minus", "matchpoints", "tricks"])
def test_total_rows_of_a_scorecard_include_sessions_and_penalties(
    method: str, carry_over: str
) -> None:
    first_session, user = evenings.play_session()
    event = first_session.event
    Terms.objects.update(method=method, carry_over=carry_over)
    close_session(session=first_session, by=user)
    second = play_second_session(event, user)
    entry = event.entries.all()[0]
    for session, amount in ((first_session, "1"), (second, "3/2")):
        scoring.services.make_ruling(
            kind="penalty", entry=entry, session=session, amount=amount, reason="late", by=user
        )
    event = Event.objects.get()
    standings.update_standings(event)
    for session in event.sessions.all():
        card = load_scorecard(load_session_snapshot(session), entry, load_rank_table(event))
        assert card.rank is not None
        session_part, *rest = card.parts
        assert session_part.title == f"Session {session.number}"
        assert session_part.score == sum(line.score or 0 for line in card.lines)
        assert session_part.tricks == sum(line.tricks or 0 for line in card.lines)
        assert sum(part.score or 0 for part in card.parts) == card.rank.score
        assert sum(part.tricks or 0 for part in card.parts) == card.rank.tricks
        titles = [part.title for part in rest]
        assert titles.count("Penalty") == 2
        assert titles.count("Carried forward") == (carry_over != "1")
        if method == "plus_minus":
            assert get_comparison_average(card) == sum(part.average or 0 for part in card.parts)


def test_penalty_before_the_first_round_of_a_session_counts_immediately() -> None:
    first_session, user = evenings.play_session()
    event = first_session.event
    close_session(session=first_session, by=user)
    second_session = add_session(event=event, by=user)
    seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )
    second_session.refresh_from_db()
    second_session = open_session(session=second_session, by=user)
    entry = event.entries.all()[0]
    score_before = score_event(event).scores_by_entry[entry.number]
    for session, amount, reason in (
        (first_session, "1", "slow play"),
        (second_session, "2", "late"),
    ):
        scoring.services.make_ruling(
            kind="penalty",
            entry=entry,
            session=session,
            amount=amount,
            reason=reason,
            by=user,
        )
    event = Event.objects.get()
    assert score_event(event).scores_by_entry[entry.number] == score_before - 3
    standings.update_standings(event)
    card = load_scorecard(load_session_snapshot(first_session), entry, load_rank_table(event))
    assert card.rank is not None
    assert sum(part.score or 0 for part in card.parts) == card.rank.score
    assert [part.note for part in card.parts][1:] == ["slow play; late"]
    assert (
        load_running_scores(event, score_event(event).scores_by_entry).sums_by_entry[
            entry.number
        ][-1]
        == score_before - 3
    )

    table = next(
        table for table in load_session_snapshot(second_session).tables if table.is_played
    )
    evenings.enter_all_results([(table.sitting_id, board, "7") for board in table.boards], user)
    event = Event.objects.get()
    message = str(
        build_explanation(
            load_explanation_data(event, should_include_hidden_results=True), entry
        )
    )
    assert "Penalties: minus 2 (late)" in message  # and 1 of the first session on its own


def test_one_session_scorecard_has_sum_rows_only_with_a_penalty() -> None:
    session, user = evenings.play_session()
    entry = session.event.entries.all()[0]
    standings.update_standings(session.event)
    assert (
        load_scorecard(
            load_session_snapshot(session), entry, load_rank_table(session.event)
        ).parts
        == ()
    )
    scoring.services.make_ruling(
        kind="penalty", entry=entry, session=session, amount="2", reason="slow play", by=user
    )
    standings.update_standings(session.event)
    card = load_scorecard(load_session_snapshot(session), entry, load_rank_table(session.event))
    assert [(part.title, part.note) for part in card.parts] == [
        ("Boards", ""),
        ("Penalty", "slow play"),
    ]
    text = {
        "card": card,
        "access": EventAccess(session.event),
        "event": session.event,
        "club": session.event.club,
    }
    html = render_to_string("scoring/scorecard.html", text)
    table_footer = html.partition("<tfoot>")[2]
    assert (
        table_footer.index("Boards")
        < table_footer.index("slow play")
        < table_footer.index("Total")
    )


def test_scorecard_total_mentions_boards_still_played_elsewhere() -> None:
    session, user = evenings.play_session(but=3)
    entry = session.event.entries.all()[0]
    scoring.services.make_ruling(
        kind="penalty", entry=entry, session=session, amount="2", reason="slow play", by=user
    )
    standings.update_standings(session.event)
    own, _penalty = load_scorecard(
        load_session_snapshot(session), entry, load_rank_table(session.event)
    ).parts
    assert own.note == "with boards that others may still play"


def test_team_is_named_in_full_only_above_its_own_scorecard() -> None:
    session, _user = evenings.play_session()
    card = load_scorecard(load_session_snapshot(session), session.event.entries.all()[0], None)
    team_name = "Ada Pole & Ben Snow & Cy Clay & Dov Mott"
    lines = tuple(replace(line, opponents=team_name) for line in card.lines)
    text = {
        "event": session.event,
        "access": EventAccess(session.event),
        "club": session.event.club,
    }
    html = render_to_string(
        "scoring/scorecard.html", {"card": replace(card, name=team_name, lines=lines), **text}
    )
    rounds = len({(line.round, line.table) for line in lines})
    assert (
        len(re.findall(r'name-full">\s*<span class="partner">Pole, Snow, Clay, Mott<', html))
        == rounds
    )
    heading = re.sub(r"<[^>]*>|\s+", " ", html.partition("<h1>")[2].partition("</h1>")[0])
    assert " ".join(heading.split()) == "Ada Pole &amp; Ben Snow &amp; Cy Clay &amp; Dov Mott"


def play_second_session(event: Event, user: User) -> Session:
    """Play a second session of six pairs, with other results than the first."""
    second_session = add_session(event=event, by=user)
    seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )
    second_session = open_session(session=Session.objects.get(pk=second_session.pk), by=user)
    plays = [
        (table.sitting_id, board, str((2 * board + 3 * table.table_number + table.round) % 14))
        for table in load_session_snapshot(second_session).tables
        for board in table.boards
    ]
    evenings.enter_all_results(plays, user)
    return close_session(session=second_session, by=user)
