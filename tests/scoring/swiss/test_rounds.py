"""Rounds are drawn from the scores one after another; each extends the schedule."""

from collections import Counter
from random import Random

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from boards.whist import WhistError
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from hall.challenges.own_page import build_entry_page
from scoring.papers import paper_files
from scoring.services.swiss import find_draw, recompute_changed_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import hall_papers, papers
from scoring.sheets.current_round import find_current_round
from scoring.sheets.draws import load_drawn_rounds, load_last_public_drawn_rounds
from scoring.standings_engine.running_scores import load_running_scores
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, reload_section
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable, InvalidSeating
from tournaments.models import Event, Session
from tournaments.movements.changes import LateArrival, Withdrawal
from tournaments.swiss.plan import SwissPlan
from tournaments.swiss.rounds import draw_round_from_data

pytestmark = pytest.mark.django_db


def draw_next_round(session: Session, round_: int, user, **options):
    return scoring.services.draw_round(
        section=reload_section(session), round_number=round_, by=user, **options
    )


def list_couples(session: Session, round_: int) -> list[frozenset[int]]:
    return [
        frozenset((table.ns.entries[0], table.ew.entries[0]))
        for table in load_session_snapshot(session).tables
        if table.round == round_ and table.is_played
    ]


def test_round_is_drawn_once_stored_completely_and_undone() -> None:
    session, user = swiss_evenings.open_swiss(7)
    assert count_boards(session) == 6  # the boards of all rounds, drawn or not
    with pytest.raises(ActionUnavailable, match="Results are missing at 3 tables"):
        draw_next_round(session, 2, user)
    with pytest.raises(ActionUnavailable, match="Draw round 2 first"):
        draw_next_round(session, 3, user, should_ignore_missing_results=True)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user)
    assert (
        draw_next_round(session, 2, user) == draw
    )  # another scorer at once: one draws, both see it
    stored_draw = draw.what["draw"]
    assert draw_round_from_data(stored_draw["input"]) == stored_draw
    assert not set(list_couples(session, 1)) & set(list_couples(session, 2))
    first_sit_out, second = (
        drawn_round.sit_outs[0][0]
        for drawn_round in load_drawn_rounds(load_session_snapshot(session))[::-1]
    )
    assert first_sit_out != second
    scoring.services.undo_change(change=draw, by=user)
    assert reload_section(session).rounds == 1
    assert session.changes.get().undone_at is not None  # it stays in the history
    repeated_draw = draw_next_round(session, 2, user, random_seed="another")
    assert repeated_draw.what["draw"]["sha256"] != stored_draw["sha256"]
    play = next(t for t in load_session_snapshot(session).tables if t.round == 2)
    evenings.enter_result(session, play.sitting_id, play.boards[0], "7", user)
    with pytest.raises(ActionUnavailable, match="has been scored"):
        scoring.services.undo_change(change=repeated_draw, by=user)
    match = load_drawn_rounds(load_session_snapshot(session))[0].matches[0]
    assert (
        match.ns_name in match.reason
    )  # by name if two are level, not "place 1 plays place 1"
    assert match.ew_name in match.reason


def test_score_corrected_after_draw_does_not_change_seating() -> None:
    session, user = swiss_evenings.open_swiss(8)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user)
    assert recompute_changed_draw(draw) is None
    table = load_session_snapshot(session).tables[0]
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "13", user)
    pairings_before = list_couples(session, 2)
    assert recompute_changed_draw(draw) is not None
    kept_draw = scoring.services.keep_draw(change=draw, should_mention_correction=True, by=user)
    assert list_couples(session, 2) == pairings_before
    assert recompute_changed_draw(kept_draw) is None  # polling has stopped
    assert load_drawn_rounds(load_session_snapshot(session))[0].note
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "0", user)
    changed_draw = recompute_changed_draw(kept_draw)
    assert changed_draw is not None  # until they change again
    new_draw = scoring.services.redraw_round(change=kept_draw, by=user)
    assert new_draw is not None
    assert new_draw.what["draw"]["pairings"] == changed_draw["pairings"]
    play_round(session, 2, user)
    with pytest.raises(ActionUnavailable, match="already has scores"):
        scoring.services.redraw_round(change=new_draw, by=user)


@pytest.mark.slow
def test_redraw_is_not_offered_after_later_change() -> None:
    session, user = swiss_evenings.open_swiss(8)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user)
    table = load_session_snapshot(session).tables[0]
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "13", user)
    client, desk = Client(), f"/director/events/{session.event.slug}/rounds/"
    client.force_login(user)
    redraw_button = 'name="act" value="redraw"'
    assert redraw_button in client.get(desk).content.decode()
    remaining_place = reload_section(session).places.get(entry__number=2)
    change = scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=1,
        incident=Withdrawal(remaining_place.number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 2},
        by=user,
    )
    page = client.get(desk).content.decode()
    assert recompute_changed_draw(draw) is not None
    assert redraw_button not in page
    assert "Undo the seat change before drawing again" in page
    scoring.services.undo_change(change=change, by=user)
    assert redraw_button in client.get(desk).content.decode()


@pytest.mark.slow
def test_next_draw_includes_arrivals_and_withdrawals() -> None:
    session, user = swiss_evenings.open_swiss(7, method="victory_points")
    play_round(session, 1, user)
    section = reload_section(session)
    remaining_place = section.places.get(entry__number=2)
    for change, continuation_key, names in (
        (LateArrival(), "swiss-in", ["Ada Late", "Ben Late"]),
        (Withdrawal(remaining_place.number), "swiss-out", []),
    ):
        scoring.services.apply_seating_change(
            section=reload_section(session),
            rounds_played=1,
            incident=change,
            continuation_key=continuation_key,
            incident_data={"kind": "late" if names else "left", "names": names, "round": 2},
            names=names,
            by=user,
        )
    draw = draw_next_round(session, 2, user)
    playing_entries = {
        entry_number for pairing in list_couples(session, 2) for entry_number in pairing
    }
    assert 8 in playing_entries | set(draw.what["draw"]["sit_out"])
    assert 2 not in playing_entries
    play_round(session, 2, user)
    ranking = score_event(session.event)
    assert ranking.tally.count_missed_rounds(1)[8] == 1 + (8 not in playing_entries)
    assert sum(ranking.scores_by_entry.values()) == 10 * (
        2 * (3 + 3) + sum(ranking.tally.count_missed_rounds(1).values())
    )


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_random_swiss_sessions_satisfy_invariants(contest: str) -> None:
    random_generator = Random(f"a seed for {contest}")
    session, user = swiss_evenings.open_swiss(6, 4, contest=contest, arrears=contest == "teams")
    for number in range(2, 5):
        play_round(session, number - 1, user, random_generator=random_generator)
        draw = draw_next_round(session, number, user)
        while random_generator.random() < 0.4:
            scoring.services.undo_change(change=draw, by=user)
            draw = draw_next_round(session, number, user)
        assert find_draw(reload_section(session), number) == draw
    play_round(session, 4, user, random_generator=random_generator)
    tables = load_session_snapshot(session).tables
    tables_per_round = 6 if contest == "teams" else 3
    assert Counter(table.round for table in tables) == dict.fromkeys(
        range(1, 5), tables_per_round
    )
    pairings = [
        couple for number in range(1, 5) for couple in set(list_couples(session, number))
    ]
    stored_draws = session.changes.filter(undone_at=None).values_list("what", flat=True)
    assert len(pairings) == 12
    assert len(pairings) - len(set(pairings)) == sum(
        stored_draw["draw"]["objective"][0] for stored_draw in stored_draws
    )
    ranking = score_event(session.event)
    assert sum(ranking.scores_by_entry.values()) == 0
    assert sum(ranking.corrected_totals_by_entry.values()) == 0
    with pytest.raises(ActionUnavailable, match="all drawn"):
        draw_next_round(session, 5, user)


def test_many_tables_without_results_are_counted_and_few_are_named(client: Client) -> None:
    session, user = swiss_evenings.open_swiss(14)
    client.force_login(user)
    desk = f"/director/events/{session.event.slug}/rounds/"
    page = client.get(desk).content.decode()
    assert "Waiting for 7 tables." in page
    assert "Round 1: tables" not in page
    table = next(
        table for table in load_session_snapshot(session).tables if table.table_number == 4
    )
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "7", user)
    page = client.get(desk).content.decode()
    assert "Waiting for 6 tables." in page
    assert "Round 1: tables 1, 2, 3, 5, 6, 7." in page


@pytest.mark.slow
def test_each_page_shows_that_round_is_not_drawn_yet(client: Client) -> None:
    session, user = swiss_evenings.open_swiss(7)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user)
    snapshot = load_session_snapshot(session)
    sentence = snapshot.describe_undrawn_rounds("A")
    assert sentence.startswith("Round 3 hasn’t been drawn yet.")
    assert all(sentence in card.moves for card in papers.build_guide_cards(snapshot))
    assert all(sentence in guide.footnote for guide in hall_papers.build_pair_guides(snapshot))
    assert sentence in hall_papers.build_wall_sheets(snapshot)[0].moves
    assert sentence in hall_papers.build_announcements(snapshot)[0].paragraphs
    assert len(papers.build_score_slips(snapshot)) == 7
    assert find_current_round(snapshot).last_round_number == 3
    for kind in ("draw_list", "draw_slips"):
        assert paper_files.draw_session_paper(session, kind, "A4").startswith(b"%PDF")
    sit_out_entry = draw.what["draw"]["sit_out"][0]
    own_page = build_entry_page(session.event.entries.get(number=sit_out_entry))
    assert own_page.notes == ("You sit out round 2 and score the average.", sentence)
    match = load_drawn_rounds(snapshot)[0].matches[0]
    (next_table,) = build_entry_page(session.event.entries.get(number=match.ew)).next_tables
    assert (next_table.table_label, next_table.side_or_seat_name, next_table.round_count) == (
        match.table,
        "East-West",
        3,
    )
    slug, director = session.event.slug, f"/director/events/{session.event.slug}"
    assert "who plays whom" in client.get(f"/events/{slug}/screen/").content.decode()
    assert (
        match.ew_name.partition(" &")[0]
        in client.get(f"/events/{slug}/pairings/").content.decode()
    )
    assert f"/events/{slug}/pairings/" in client.get(f"/events/{slug}/").content.decode()
    document = export_event(session.event, should_include_deals=False)
    meetings = document["sessions"][0]["sections"][0]["movement"]["meetings"]
    assert len(meetings) == 6  # the file carries the rounds drawn
    client.force_login(user)
    for page in ("rounds/", "change/", "room/", "scores/", "papers/", "seats/", "movement/"):
        assert client.get(f"{director}/{page}").status_code == 200, page
    data = client.get(f"/api/events/{slug}/sessions/1/rounds/").json()
    assert data["undrawn"] == [sentence]
    assert [item["round"] for item in data["drawn"]] == [2, 1]
    data = client.post(f"/api/events/{slug}/sessions/1/rounds/2/undo/")
    assert [item["round"] for item in data.json()["drawn"]] == [1]
    room = client.get(f"{director}/room/").content.decode()
    assert "Draw round 2" in room
    redraw_response = client.post(
        f"{director}/rounds/", {"act": "draw", "round": "2"}, follow=True
    )
    assert "Round 2 drawn." in redraw_response.content.decode()
    assert "Undone draws" in redraw_response.content.decode()


def test_invalid_swiss_session_is_refused_with_suggestion(client: Client) -> None:
    session, user = (
        evenings.create_event(9)[0].sessions.get(),
        evenings.create_club_with_director()[1],
    )
    with pytest.raises(InvalidSeating, match="2 copies are needed"):
        scoring.services.seat_swiss(
            session=session, plan=SwissPlan(3), boards_a_round=3, by=user
        )
    with pytest.raises(InvalidSeating, match="Choose 9 rounds or fewer"):
        scoring.services.seat_swiss(
            session=session, plan=SwissPlan(10), boards_a_round=3, copy_count=2, by=user
        )
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/movement/swiss/"
    form = {"rounds": "3", "boards_a_round": "3", "method": "monrad", "first": "seeds"}
    form |= {"scored": "victory_points", "decides": "corrected", "copies": "1"}
    assert client.post(page, form).status_code == 400
    assert client.post(page, form | {"copies": "2", "apart": "1-99"}).status_code == 400
    response = client.post(page, form | {"copies": "2", "apart": "1-6"})
    assert response.url.endswith("/rounds/")
    terms = Event.objects.get(pk=session.event_id).terms
    assert (terms.method, terms.by_corrected) == ("victory_points", True)
    assert terms.tie_breaks == ["corrected", "met", "boards_won"]


def test_practice_copy_can_draw_further_rounds() -> None:
    session, user = swiss_evenings.open_swiss(7)
    play_round(session, 1, user)
    draw = draw_next_round(session, 2, user)
    copy = scoring.services.copy_session(session=session, name="Practice", by=user)
    copy = scoring.services.open_session(session=copy, by=user)
    assert len(load_drawn_rounds(load_session_snapshot(copy))) == 2
    third_draw = draw_next_round(copy, 3, user, should_ignore_missing_results=True)
    history = third_draw.what["draw"]["input"]["history"]
    assert [drawn_round["sit_out"] for drawn_round in history[1:]] == [
        draw.what["draw"]["sit_out"]
    ]
    assert not set(list_couples(copy, 3)) & {*list_couples(copy, 1), *list_couples(copy, 2)}


@pytest.mark.slow
def test_practice_copy_does_not_draw_withdrawn_entries() -> None:
    session, user = swiss_evenings.open_swiss(7)
    play_round(session, 1, user)
    scoring.services.apply_seating_change(
        section=reload_section(session),
        rounds_played=1,
        incident=Withdrawal(reload_section(session).places.get(entry__number=2).number),
        continuation_key="swiss-out",
        incident_data={"kind": "left", "names": [], "round": 2},
        by=user,
    )
    draw_next_round(session, 2, user)
    copy = scoring.services.copy_session(session=session, name="Practice", by=user)
    copy = scoring.services.open_session(session=copy, by=user)
    draw_next_round(copy, 3, user, should_ignore_missing_results=True)
    assert 2 not in {one for couple in list_couples(copy, 3) for one in couple}
    assert len(list_couples(copy, 3)) == 3


@pytest.mark.slow
def test_ranking_criterion_can_be_changed_on_page_and_through_api(client: Client) -> None:
    session, user = swiss_evenings.open_swiss(8)
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/scoring/"
    assert "drawn rounds: rank by" in client.get(page).content.decode().lower()
    form = {"method": "plus_minus", "carry_over": "1", "revokes_read": "never_above_average"}
    client.post(page, form | {"by_corrected": "corrected"})
    assert Event.objects.get(pk=session.event_id).terms.by_corrected
    client.post(page, form)
    assert Event.objects.get(pk=session.event_id).terms.by_corrected  # omitted, it is unchanged
    response = client.patch(
        f"/api/events/{session.event.slug}/scoring/",
        {"by_corrected": False},
        content_type="application/json",
    )
    assert response.json()["by_corrected"] is False


@pytest.mark.slow
def test_each_draw_respects_seating_preferences() -> None:
    event, user = evenings.create_event(8)
    tags = {n: ["club riverside"] for n in (1, 2, 3)} | {8: ["north-south"]}
    scoring.services.set_entry_profiles(
        event=event,
        profiles_by_number={n: {"tags": entry_tags} for n, entry_tags in tags.items()},
        by=user,
    )
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session,
        plan=SwissPlan(3, clubs_until=2),
        boards_a_round=2,
        copy_count=2,
        random_seed="s",
        by=user,
    )
    session = scoring.services.open_session(session=session, by=user)
    for round_ in (1, 2, 3):
        if round_ > 1:
            play_round(session, round_ - 1, user)
            draw_next_round(session, round_, user)
        if round_ < 3:
            assert not any(
                len(couple & {1, 2, 3}) == 2 for couple in list_couples(session, round_)
            )
        tables = load_session_snapshot(session).tables
        assert any(t.round == round_ and t.ns.entries[0] == 8 for t in tables)
    plan = reload_section(session).options["swiss"]
    assert plan["clubs_until"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_file_stores_all_previous_sit_outs(contest: str) -> None:
    session, user = swiss_evenings.open_swiss(9, contest=contest)
    document = export_event(session.event, should_include_deals=False)
    movement = document["sessions"][0]["sections"][0]["movement"]
    assert movement["places"] == 9
    repeated_event = import_event(
        club=session.event.club, document=encode_event_file(document), by=user
    )
    assert export_event(repeated_event, should_include_deals=False) == document
    assert repeated_event.sessions.get().sections.get().places.filter(entry=None).count() == 0


@pytest.mark.slow
def test_imported_session_draws_further_rounds() -> None:
    session, user = swiss_evenings.open_swiss(7)
    play_round(session, 1, user)
    draw_next_round(session, 2, user)
    play_round(session, 2, user)
    document = export_event(session.event, should_include_deals=False)
    assert document["sessions"][0]["sections"][0]["draw"]["rounds"] == 3
    repeated_event = import_event(
        club=session.event.club, document=encode_event_file(document), by=user
    )
    copy = repeated_event.sessions.get()
    third_draw = draw_next_round(copy, 3, user)
    draw = draw_next_round(
        session, 3, user, random_seed=third_draw.what["draw"]["input"]["seed"]
    )
    assert third_draw.what["draw"]["pairings"] == draw.what["draw"]["pairings"]
    assert len(load_drawn_rounds(load_session_snapshot(copy))) == 3
    document["sessions"][0]["sections"][0]["draw"]["rounds"] = 2
    document["sessions"][0]["sections"][0]["draw"]["method"] = "coin"
    with pytest.raises(WhistError, match=r"draw\.method"):
        import_event(club=session.event.club, document=encode_event_file(document), by=user)


@pytest.mark.slow
def test_score_history_with_sit_outs_is_kept_when_next_round_is_seated() -> None:
    session, user = swiss_evenings.open_swiss(pairs=5, rounds=2, method="victory_points")
    play_round(session, 1, user, random_generator=Random(5))
    draw_next_round(session, 2, user)
    play_round(session, 2, user, random_generator=Random(6))
    event = session.event
    running_scores_before = load_running_scores(event, score_event(event).scores_by_entry)
    assert running_scores_before.rounds == (1, 2)
    scoring.services.close_session(session=session, by=user)
    later_session = tournaments.services.add_session(event=event, by=user)
    scoring.services.seat_swiss(
        session=later_session,
        plan=SwissPlan(2),
        boards_a_round=2,
        copy_count=4,
        method="victory_points",
        by=user,
    )
    event = Event.objects.get(pk=event.pk)
    assert (
        load_running_scores(event, score_event(event).scores_by_entry) == running_scores_before
    )


def test_slips_hide_scores_of_round_drawn_with_missing_boards() -> None:
    session, user = swiss_evenings.open_swiss(pairs=6)
    *finished_tables, last_table = [
        table for table in load_session_snapshot(session).tables if table.is_played
    ]
    plays = [
        (table.sitting_id, board, "9") for table in finished_tables for board in table.boards
    ]
    evenings.enter_all_results(
        [*plays, (last_table.sitting_id, last_table.boards[0], "13")], user
    )
    draw_next_round(session, 2, user, should_ignore_missing_results=True)

    def has_reason() -> bool:
        (slips,) = load_last_public_drawn_rounds(load_session_snapshot(session))
        return any(line.reason for line in slips.lines)

    assert (
        not has_reason()
    )  # they were of one board of the last table, which others may wait for
    evenings.enter_all_results([(last_table.sitting_id, last_table.boards[1], "7")], user)
    assert has_reason()
