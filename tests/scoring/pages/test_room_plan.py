"""The players' seats as a room plan and in words, before play and on the director's page."""

import re

import pytest
from django.test import Client
from django.utils.html import escape

import scoring.services
import tournaments.services
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.room_page import (
    MAX_NARROW_LINE_CHARS,
    MAX_WIDE_LINE_CHARS,
    build_hall_picture,
    describe_seats,
    list_entries,
)
from scoring.standings_engine import standings
from tests import evenings
from tests.house import markup
from tests.page_text import collapse_spaces
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def test_room_plan_names_both_sides_of_every_table_in_round_one() -> None:
    session, _user = evenings.seat_session(5)  # one side of a table is empty
    snapshot = load_session_snapshot(session)
    plan = build_hall_picture(snapshot)
    assert plan is not None
    tables = [table for table in snapshot.tables if table.round == 1]
    assert [table.table_label for table in plan.tables] == [table.label for table in tables]
    assert f"{len(tables)} tables" in plan.description
    for drawn_table, table in zip(plan.tables, tables, strict=True):
        assert drawn_table.ns_name_lines[0].startswith(table.ns.short_label)
        assert (drawn_table.ew_name_lines == ("–",)) is not bool(table.ew.name)
        assert (
            max(map(len, (*drawn_table.ns_name_lines, *drawn_table.ew_name_lines)))
            <= MAX_WIDE_LINE_CHARS
        )
        assert (
            max(map(len, (*drawn_table.ns_short_name_lines, *drawn_table.ew_short_name_lines)))
            <= MAX_NARROW_LINE_CHARS
        )
        assert drawn_table.ns_short_name_lines[1]  # one partner per line
        assert len(drawn_table.ns_short_name_lines) == len(
            drawn_table.ew_short_name_lines
        )  # so that no row is higher


def test_seats_of_everyone_are_also_described_in_words() -> None:
    session, _user = evenings.seat_session()
    seated = load_session_snapshot(session)
    seats = describe_seats(seated)
    first_place_pks_by_entry_id = {place.entry_id: place.pk for place in seated.places}
    assert set(seats) == set(first_place_pks_by_entry_id)
    for entry, text in seats.items():
        table, side = seated.seat_by_place_and_round[first_place_pks_by_entry_id[entry], 1]
        assert text == f"table {table.label}, {side}"


def test_seats_are_shown_to_players_before_play_and_to_directors_on_seats_page(
    client: Client,
) -> None:
    session, user = evenings.seat_session()
    page = client.get(f"/events/{session.event.slug}/").content.decode()
    assert markup.find_faults(page) == []
    assert "table 2, E-W" in page
    pictures = re.findall(r'<svg role="img"[^>]*aria-label="([^"]+)"', collapse_spaces(page))
    assert (
        len([picture for picture in pictures if picture.startswith("The room in round 1")]) == 2
    )
    client.force_login(user)
    seats = client.get(f"/director/events/{session.event.slug}/seats/").content.decode()
    assert markup.find_faults(seats) == []
    assert "Room plan" in seats
    event, _user = evenings.create_event(4, name="Unseated")
    page = client.get(f"/events/{event.slug}/").content.decode()
    assert "Room plan" not in page
    assert "Starts at" not in page


def test_large_field_is_listed_by_section_with_search_before_first_standings(
    client: Client,
) -> None:
    """The list of a large field is shown by section, with a search by name."""
    event, user = evenings.create_event(26)
    entries = list(event.entries.order_by("number"))
    planned_sections = [
        tournaments.services.PlannedSection(
            build_named_movement("compass", pairs=13), {"pairs": 13}, entry
        )
        for entry in (entries[::2], entries[1::2])
    ]
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session, planned_sections=planned_sections, boards_a_round=2, by=user
    )
    lines = list_entries(load_session_snapshot(session), event.entries.all())
    assert [line.section for line in lines] == ["A"] * 13 + ["B"] * 13
    assert [line.entry for line in lines][:3] == [1, 3, 5]
    sought_line = lines[20]
    path = f"/events/{event.slug}/?find={sought_line.name.split()[1]}"
    for is_open in (False, True):
        if is_open:
            scoring.services.open_session(session=session, by=user)
        page = client.get(path).content.decode()
        assert markup.find_faults(page) == []
        assert 'href="#section-B"' in page
        assert page.count('id="section-') == 2
        matching_rows = client.get(path).context["matching_rows"]
        assert page.count('class="is-mine"') == len(matching_rows) > 0
        answer = page.partition('class="sought"')[2].partition("</p>")[0]
        assert f"{escape(sought_line.name)}</a>:" in answer
        assert sought_line.seat_text in answer


def test_standings_of_several_sections_begin_with_links_to_each(client: Client) -> None:
    event, user = evenings.create_event(12)
    entries = list(event.entries.order_by("number"))
    plans = [
        tournaments.services.PlannedSection(
            build_named_movement("compass", pairs=6), {"pairs": 6}, entry
        )
        for entry in (entries[:6], entries[6:])
    ]
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session, planned_sections=plans, boards_a_round=2, by=user
    )
    session = scoring.services.open_session(session=session, by=user)
    snapshot = load_session_snapshot(session)
    first_tables = [table for table in snapshot.tables if table.round == 1]
    evenings.enter_all_results(
        [(item.sitting_id, board, "7") for item in first_tables for board in item.boards], user
    )
    standings.update_standings(event)
    page = collapse_spaces(client.get(f"/events/{event.slug}/").content.decode())
    section_links = re.findall(r'<a href="#(part-\d)">\s*([^<]*?)\s*</a>', page)
    assert section_links == [("part-1", "Section A"), ("part-3", "Section B")]
    assert page.index('href="#part-1"') < page.index('class="podium')
