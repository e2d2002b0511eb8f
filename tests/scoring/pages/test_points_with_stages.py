"""Points and tricks, combined with drawn rounds, stages and a bracket."""

import csv
import io
import re
import zipfile
from collections.abc import Callable
from datetime import date
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.test import Client

import scoring.services
import tournaments.services
from boards.whist import WhistError
from exchange.data_tables import encode_csv
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.results.event_results import load_results
from exchange.results.tables import build_tables
from exchange.workbooks import build_workbook
from scoring.models import EventPrize, Result
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.scores import score_event
from seasons.publishing.documents.writing import build_event_document
from seasons.publishing.site import generator
from server.models import User
from tests import evenings
from tests.copies import build_once
from tests.scoring.pages.test_points_pages import read_page_text
from tournaments.models import Event, Session
from tournaments.stages.rules import StageRules
from tournaments.swiss.plan import SwissPlan

pytestmark = pytest.mark.django_db
TRICKS_PATTERN = re.compile(r"\btricks?\b", re.IGNORECASE)
MARKS_BY_UNIT = {"points": "120-40", "tricks": "8"}


def create_entered_event(
    counting_unit: str, contest: str = "pairs", entries: int = 6
) -> tuple[Event, User]:
    """Create an event with its entries and no seats."""
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club,
        name="Crossing",
        date=date(2026, 3, 10),
        contest=contest,
        most_points=2000 if counting_unit == "points" else None,
        by=user,
    )
    entry_size = 4 if contest == "teams" else 2
    for number in range(entries):
        names = [f"{evenings.SURNAMES[number]} {'abcd'[k]}" for k in range(entry_size)]
        tournaments.services.create_entry(event=event, names=names, by=user)
    return event, user


def enter_missing_results(session: Session, counting: str, user: User) -> None:
    """Enter a result for every play without one."""
    plays = [
        (table.sitting_id, board, MARKS_BY_UNIT[counting])
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
        if not Result.objects.filter(sitting=table.sitting_id, board=board).exists()
    ]
    evenings.enter_all_results(plays, user)


@build_once
def play_swiss(counting: str) -> tuple[Event, User]:
    """Return an event of two drawn rounds, both played."""
    event, user = create_entered_event(counting)
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session,
        plan=SwissPlan(2),
        boards_a_round=2,
        copy_count=4,
        method="",
        random_seed="x",
        by=user,
    )
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    enter_missing_results(session, counting, user)
    scoring.services.draw_round(section=session.sections.get(), round_number=2, by=user)
    enter_missing_results(session, counting, user)
    return event, user


@build_once
def play_bracket(counting: str) -> tuple[Event, User]:
    """Return a knock-out of six at the tables, its first round played."""
    event, user = create_entered_event(counting)
    scoring.services.set_bracket(event=event, seeds=range(1, 7), by=user)
    session = event.sessions.get()
    scoring.services.seat_knockout(session=session, boards_a_round=2, copies=2, by=user)
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    enter_missing_results(session, counting, user)
    return event, user


@build_once
def play_staged_event(counting: str) -> tuple[Event, User]:
    """Return a closed qualifying with strata, prizes and finals that were drawn."""
    session, user = (
        evenings.play_points_event()
        if counting == "points"
        else evenings.play_session(6, movement="compass")
    )
    event = session.event
    scoring.services.set_strata(event=event, lines=[("A", "0"), ("B", "0")], by=user)
    prize = {"name": "Winner", "kind": EventPrize.Kind.MONEY, "value": 500}
    scoring.services.set_prizes(event=event, prizes=[prize], by=user)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(event)
    rule = StageRules(finals=(("A final", 2), ("B final", None)))
    scoring.services.set_stage_rules(event=event, stage_rules=rule, by=user)
    scoring.services.draw_finals(event=event, by=user)
    return event, user


EVENT_FACTORIES: dict[str, Callable[[str], tuple[Event, User]]] = {
    "swiss": play_swiss,
    "bracket": play_bracket,
    "staged": play_staged_event,
}
PATHS_BY_EVENT = {
    "swiss": ("/events/{0}/", "/director/events/{0}/rounds/", "/events/{0}/entries/1/"),
    "bracket": ("/events/{0}/", "/events/{0}/bracket/", "/director/events/{0}/bracket/"),
    "staged": (
        *("/events/{0}/", "/director/events/{0}/stages/", "/director/events/{0}/prizes/"),
        *("/director/events/{0}/seeds/", "/events/{0}/prizes/", "/events/{0}/recap/"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("event_kind", EVENT_FACTORIES)
@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_every_page_names_the_counted_unit(
    client: Client, event_kind: str, counting: str
) -> None:
    event, user = EVENT_FACTORIES[event_kind](counting)
    standings.update_standings(event)
    client.force_login(user)
    wrong_texts = {}
    for address in PATHS_BY_EVENT[event_kind]:
        response = client.get(address.format(event.slug))
        page_text = read_page_text(response.content.decode())
        match = TRICKS_PATTERN.search(page_text)
        if response.status_code != 200:
            wrong_texts[address] = str(response.status_code)
        elif counting == "points" and match:
            wrong_texts[address] = page_text[max(0, match.start() - 70) : match.end() + 40]
    assert not wrong_texts, "\n".join(
        f"{page_path}: {text}" for page_path, text in wrong_texts.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", EVENT_FACTORIES)
@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_exported_event_is_imported_unchanged(what: str, counting: str) -> None:
    event, user = EVENT_FACTORIES[what](counting)
    written_event = export_event(event, should_include_deals=True)
    repeated_event = import_event(document=written_event, by=user)
    assert export_event(repeated_event, should_include_deals=True) == written_event
    assert (
        score_event(repeated_event).scores_by_entry
        == score_event(Event.objects.get(pk=event.pk)).scores_by_entry
    )


@pytest.mark.slow
@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_exported_document_names_the_counted_unit(counting: str) -> None:
    event, _user = play_staged_event(counting)
    document = build_event_document(event)
    plays = [play for board in document["boards"] for play in board["plays"]]
    assert len(plays) > 10
    points = [
        item["points"]
        for play in plays
        for item in (play["ns"], play["ew"])
        if "points" in item
    ]
    assert len(points) == (2 * len(plays) if counting == "points" else 0)


@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_static_site_pages_name_the_counted_unit(
    counting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stylesheet = b'@font-face{src: url("../fonts/a.woff2")}'  # subsetting fonts takes seconds
    monkeypatch.setattr(
        generator,
        "_read_static_file",
        lambda name: stylesheet if name.endswith("css") else b"x",
    )
    event, _user = play_staged_event(counting)
    pages = {
        name: read_page_text(data.decode())
        for name, data in generator.iter_site_files(event.club)
        if name.startswith(f"evenings/{event.slug}/") and name.endswith(".html")
    }
    assert len(pages) > 6
    pages_with_tricks = [name for name, page in pages.items() if TRICKS_PATTERN.search(page)]
    assert bool(pages_with_tricks) == (counting == "tricks"), pages_with_tricks


@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_revoke_is_ruled_in_tricks_and_refused_in_points(counting: str) -> None:
    event, user = play_bracket(counting)
    result = Result.objects.filter(sitting__section__session__event=event).first()
    terms = {"side": "NS", "revokes": 1, "won_before": 2, "law": "X.4"}
    if counting == "tricks":
        scoring.services.make_ruling(kind="revoke", result=result, by=user, **terms)
        return
    with pytest.raises(WhistError, match="scored in points"):
        scoring.services.make_ruling(kind="revoke", result=result, by=user, **terms)


@pytest.mark.slow
@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_bracket_imported_from_its_file_draws_its_next_round(counting: str) -> None:
    event, user = play_bracket(counting)
    for match in ((1, 2), (1, 4)):
        scoring.services.record_match(event=event, match_key=match, margins=["3"], by=user)
    repeated_event = import_event(
        document=export_event(event, should_include_deals=True), by=user
    )
    assert repeated_event.knockout.matches == event.knockout.matches
    pairings = [
        scoring.services.draw_round(
            section=item.sessions.get().sections.get(), round_number=2, by=user
        ).what["draw"]["pairings"]
        for item in (event, repeated_event)
    ]
    assert pairings[0] == pairings[1]
    assert {*pairings[0][0][1:]} == {1, 4}


def export_event_files(event: Event) -> dict[str, str]:
    """Return an event in every file format for other programs."""
    tables = build_tables(load_results(event, has_full_names=False))
    files = {
        f"{name}.csv": encode_csv(sheet).decode("utf-8-sig") for name, sheet in tables.items()
    }
    book = build_workbook(list(tables.values()))
    with zipfile.ZipFile(io.BytesIO(book)) as workbook_parts:
        files["workbook"] = "".join(
            workbook_parts.read(name).decode()
            for name in workbook_parts.namelist()
            if name.endswith(".xml")
        )
    for format_name in ("usebio", "bridgewebs"):
        output = StringIO()
        call_command("event", "export", event.slug, "--format", format_name, stdout=output)
        files[format_name] = output.getvalue()
    return files


@pytest.mark.slow
@pytest.mark.parametrize("what", EVENT_FACTORIES)
@pytest.mark.parametrize("counting", MARKS_BY_UNIT)
def test_every_export_for_other_programs_names_the_counted_unit(
    what: str, counting: str
) -> None:
    event, _user = EVENT_FACTORIES[what](counting)
    standings.update_standings(event)
    files = export_event_files(event)
    results = list(csv.DictReader(io.StringIO(files["results.csv"])))
    assert (
        len(results)
        == Result.objects.filter(sitting__section__session__event=event).count()
        > 3
    )
    won = {row[f"ns_{counting}"] for row in results}
    assert "" not in won
    traveller_lines = list(ElementTree.fromstring(files["usebio"]).iter("TRAVELLER_LINE"))
    assert traveller_lines
    assert all(len(line) for line in traveller_lines)
    assert files["bridgewebs"].count("#BOARD,") > 1
    lines = [row.split(",") for row in files["bridgewebs"].split("#TRAVELLERS")[1].splitlines()]
    tricks = [row[4] for row in lines if len(row) == 8 and row[0] != "NSPAIR"]
    assert len(tricks) == len(results)
    assert (set(tricks) == {""}) == (counting == "points")  # no tricks if in points
    if counting == "points":
        del files["bridgewebs"]
        with_tricks = [
            name
            for name, text in files.items()
            if TRICKS_PATTERN.search(replace_underscores(text))
        ]
        assert not with_tricks


def replace_underscores(text: str) -> str:
    """Return the text with spaces for the underscores of column names."""
    return text.replace("_", " ")
