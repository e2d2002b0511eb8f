"""Test season handicaps: settings, freezing at the start, pages, ladders and files."""

import json
from datetime import date, timedelta
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import scoring.services
from clubs import audit
from clubs.archives.references import replace_undo_references
from clubs.file_fields import UnusableFile
from clubs.models import Player
from clubs.undo import undo_recorded_act
from config.archives import ARCHIVE_SPEC
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from seasons.ladders.api import LadderSerializer
from seasons.ladders.errors import HandicapRefused
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import EntryHandicap, HandicapByHand, Season, SeasonHandicap
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.season_file import build_season_document
from seasons.ladders.season_tables import load_ladder_tables, load_season_terms
from seasons.ladders.services.handicaps import (
    freeze_handicaps,
    list_season_pks_to_freeze,
    recompute_handicaps,
    set_personal_handicap,
    set_season_handicap,
)
from seasons.ladders.services.importing import import_season
from seasons.ladders.services.ladders import save_ladder
from seasons.ladders.sheets.handicaps import list_current_handicaps, load_handicap_ranking
from seasons.ladders.sheets.ladders import build_ladder_sheet
from tests import evenings
from tests.factories import SeasonFactory
from tournaments.models import Event

pytestmark = pytest.mark.django_db
PEOPLE = {"a": "Ann Lee", "b": "Bo Low", "c": "Cy Dee", "d": "Di Orr"}


def build_season_file(**handicap: Any) -> dict[str, Any]:
    """Return six evenings of two pairs: Ann and Bo lose 6 over 24 boards each time."""
    first = date(2026, 1, 6)
    rule = {"who": "pairs", "measure": "plus", "combine": "sum", "minimum": 1}
    return {
        "format": "whist-season/1",
        "club": {"name": "Riverside"},
        "players": [{"id": k, "name": name, "member": True} for k, name in PEOPLE.items()],
        "season": {
            "slug": "spring",
            "name": "Spring",
            "from": "2026-01-01",
            "to": "2026-06-30",
            "handicap": handicap,
        },
        "ladders": [{"slug": "with", "name": "With handicap", "handicap": True, **rule}],
        "evenings": [
            {
                "slug": f"week-{n + 1}",
                "date": (first + timedelta(weeks=n)).isoformat(),
                "boards": 24,
                "entries": [
                    {"players": ["a", "b"], "score": -6},
                    {"players": ["c", "d"], "score": 6},
                ],
            }
            for n in range(6)
        ],
    }


def run_command(*arguments: str) -> str:
    output = StringIO()
    call_command("season", *arguments, stdout=output)
    return output.getvalue()


def import_spring(**handicap: Any) -> Season:
    return import_season(document=build_season_file(**handicap), by=None)


def list_totals(season: Season) -> dict[tuple[str, ...], Fraction]:
    ((row, table),) = load_ladder_tables(season)
    return {line.person_names: line.total for line in build_ladder_sheet(row, table).lines}


def test_imported_evenings_compute_handicaps_from_earlier_evenings() -> None:
    """Five evenings of −1/4 a board: at the sixth +0.20 each, over 24 boards +4.80."""
    season = import_spring()
    terms = load_season_terms(season)
    assert terms == HandicapTerms()
    handicap_ranking_before = load_handicap_ranking(season, terms, "week-5")
    assert handicap_ranking_before is not None
    assert handicap_ranking_before.lines[0].line.handicap == 0
    sheet = load_handicap_ranking(season, terms, "week-6")
    assert sheet is not None
    actual = {
        row.person_names: (row.line.handicap, row.line.total, row.rank_text)
        for row in sheet.lines
    }
    assert actual == {
        ("Cy Dee", "Di Orr"): (Fraction(-1, 5), Fraction(6, 5), "1"),
        ("Ann Lee", "Bo Low"): (Fraction(1, 5), Fraction(-6, 5), "2"),
    }
    assert sheet.lines[1].explanations == (
        "−6 + 0.2 × 24 boards = −1.2, or −0.05 per board.",
        ("Ann Lee +0.2, Bo Low +0.2. The average, rounded to hundredths, is +0.2."),
    )
    assert list_totals(season) == {
        ("Ann Lee", "Bo Low"): Fraction(-36) + Fraction(24, 5),
        ("Cy Dee", "Di Orr"): Fraction(36) - Fraction(24, 5),
    }


def test_manual_handicap_overrides_computed_one_and_can_be_undone() -> None:
    season = import_spring()
    ann = Player.objects.get(name="Ann Lee")
    with pytest.raises(HandicapRefused, match="Enter a reason"):
        set_personal_handicap(season=season, player=ann.pk, a_board="0.3", by=None)
    with pytest.raises(HandicapRefused, match="such as"):
        set_personal_handicap(season=season, player=ann.pk, a_board="lots", reason="x", by=None)
    with pytest.raises(HandicapRefused, match="can’t be printed"):
        set_personal_handicap(
            season=season, player=ann.pk, a_board="0.3", reason="ill\x00", by=None
        )
    set_personal_handicap(
        season=season, player=ann.pk, a_board="0.3", reason="was ill", by=None
    )
    set_personal_handicap(
        season=season, player=ann.pk, a_board="0.3", reason="was ill", by=None
    )
    acts = audit.list_acts(season).filter(action="handicap.given")
    assert acts.count() == 1
    assert list_totals(season)["Ann Lee", "Bo Low"] == -36 + 24 * (
        5 * Fraction(15, 100) + Fraction(25, 100)
    )
    undo_recorded_act(audit.list_acts(season), acts[0], INVERSES, season=season, by=None)
    assert not HandicapByHand.objects.exists()
    assert list_totals(season)["Ann Lee", "Bo Low"] == -36 + Fraction(24, 5)


def test_current_handicap_after_season_uses_day_after_last_evening() -> None:
    document = build_season_file()
    document["season"]["to"] = document["evenings"][-1]["date"]
    season = import_season(document=document, by=None)
    current_handicaps_by_name = {
        current_handicap.name: current_handicap
        for current_handicap in list_current_handicaps(season, HandicapTerms())
    }
    assert len(current_handicaps_by_name["Ann Lee"].handicap.used_results) == 6


def test_invalid_handicap_terms_are_refused_and_valid_terms_can_be_undone() -> None:
    season = import_spring()
    with pytest.raises(HandicapRefused) as exc_info:
        set_season_handicap(season=season, terms={"share": "7/5"}, by=None)
    assert [fault.setting for fault in exc_info.value.faults] == ["share"]
    with pytest.raises(HandicapRefused, match="With handicap"):
        set_season_handicap(season=season, terms={"figure": "percent"}, by=None)
    with pytest.raises(HandicapRefused, match="The season has no handicap"):
        set_season_handicap(season=season, terms=None, by=None)
    season.ladders.all().delete()
    set_season_handicap(season=season, terms=None, by=None)
    assert not SeasonHandicap.objects.exists()
    (act,) = audit.list_acts(season).filter(action="handicap.settled")
    undo_recorded_act(audit.list_acts(season), act, INVERSES, season=season, by=None)
    assert load_season_terms(season) == HandicapTerms()


def list_refused_paths(document: dict[str, Any]) -> set[str]:
    with pytest.raises(UnusableFile) as exc_info:
        import_season(document=document, by=None)
    return {problem.partition(": ")[0] for problem in exc_info.value.problems}


def test_file_reports_handicap_errors_by_path() -> None:
    document = build_season_file(bonus=1, by_hand={"zz": {"a_board": "x", "reason": "y"}})
    document["evenings"][0]["entries"][0]["handicap"] = "much"
    assert list_refused_paths(document) == {
        "season.handicap.bonus",
        "season.handicap.by_hand.zz.a_board",
        "evenings[0].entries[0].handicap",
    }
    assert list_refused_paths(build_season_file(share=2)) == {"season.handicap.share"}
    document = build_season_file(by_hand={"zz": {"a_board": 1, "reason": "y"}})
    document["ladders"][0]["handicap"] = 2
    assert list_refused_paths(document) == {
        "season.handicap.by_hand.zz",
        "ladders[0].handicap",
    }


def test_exported_and_reimported_season_has_same_handicaps() -> None:
    season = import_spring(
        newcomers="largest", by_hand={"a": {"a_board": "1/3", "reason": "ill"}}
    )
    (row,) = season.ladders.all()
    data_before = LadderSerializer(build_ladder_sheet(row)).data
    document = build_season_document(season)
    document["season"]["slug"] = "again"
    repeated_season = import_season(document=json.dumps(document), by=None)
    assert (
        LadderSerializer(build_ladder_sheet(repeated_season.ladders.get())).data == data_before
    )
    assert repeated_season.by_hand.get().reason == "ill"
    assert document["evenings"][5]["entries"][0]["handicap"] == "27/100"  # (1/3 + 1/5) : 2


def test_place_ladder_with_handicap_matches_season_file() -> None:
    """The file has the place without handicap as well as the handicap that applied."""
    event, season = create_event_in_season()
    (session,) = event.sessions.all()
    rule = {"who": "pairs", "measure": "place", "points": [8, 6, 4], "combine": "sum"}
    save_ladder(season=season, name="Places", rule={**rule, "handicap": True}, by=None)
    evenings.enter_all_results(
        [
            (table.sitting_id, board, str(4 + table.table_number))
            for table in load_session_snapshot(session).tables
            if table.is_played
            for board in table.boards
        ],
        None,
    )
    for player in event.entries.get(number=1).players.all():
        set_personal_handicap(
            season=season, player=player.pk, a_board="3", reason="new", by=None
        )
    freeze_handicaps(season)
    scoring.services.close_session(session=session, by=None)
    standings.update_standings(event)
    data_before = LadderSerializer(
        build_ladder_sheet(season.ladders.get(), has_full_names=True)
    ).data
    document = build_season_document(season)
    entries = document["evenings"][0]["entries"]
    assert [entry["place"] for entry in entries if entry["handicap"] == "3"] == [3]
    document["season"]["slug"], document["club"]["name"] = "again", "Far away"
    repeated_season = import_season(document=json.dumps(document), by=None)
    assert (
        LadderSerializer(
            build_ladder_sheet(repeated_season.ladders.get(), has_full_names=True)
        ).data
        == data_before
    )
    first_pair_names = event.entries.get(number=1).players.values_list("name", flat=True)
    (row,) = [row for row in data_before["rows"] if set(row["who"]) == set(first_pair_names)]
    assert row["value"] == "8"  # with it the pair is first of its line


def create_event_in_season() -> tuple[Event, Season]:
    session, user = evenings.open_session(6)
    event = session.event
    season = SeasonFactory(
        club=event.club, first_day=event.date, last_day=event.date + timedelta(days=60)
    )
    set_season_handicap(season=season, terms={"newcomers": "none"}, by=user)
    return event, season


def test_handicaps_are_frozen_when_play_opens() -> None:
    event, season = create_event_in_season()
    entry = event.entries.order_by("number")[0]
    first_player, second_player = entry.players.all()
    for player, a_board in ((first_player, "0.2"), (second_player, "-0.08")):
        set_personal_handicap(
            season=season, player=player.pk, a_board=a_board, reason="x", by=None
        )
    assert list_season_pks_to_freeze() == [season.pk]
    freeze_handicaps(season)
    assert list_season_pks_to_freeze() == []
    assert EntryHandicap.objects.count() == 6
    frozen_handicap = EntryHandicap.objects.get(entry=entry)
    assert frozen_handicap.a_board == "3/50"
    set_personal_handicap(
        season=season, player=first_player.pk, a_board="0.5", reason="x", by=None
    )
    freeze_handicaps(season)
    frozen_handicap.refresh_from_db()
    assert frozen_handicap.a_board == "3/50"
    assert recompute_handicaps(season=season, event=event, by=None) == 1
    assert EntryHandicap.objects.get(entry=entry).a_board == "21/100"
    (act,) = audit.list_acts(season).filter(action="handicap.found")
    undo_recorded_act(audit.list_acts(season), act, INVERSES, season=season, by=None)
    assert EntryHandicap.objects.get(entry=entry).a_board == "3/50"


def list_frozen_handicaps() -> list[tuple[int, str]]:
    return list(EntryHandicap.objects.order_by("entry").values_list("entry", "a_board"))


def test_handicaps_are_not_frozen_after_opening_is_undone() -> None:
    session, user = evenings.seat_session()
    season = SeasonFactory(club=session.event.club)
    set_season_handicap(season=season, terms={}, by=user)
    scoring.services.open_session(session=session, by=user)
    freeze_handicaps(season)
    assert set(EntryHandicap.objects.values_list("a_board", flat=True)) == {"0"}
    assert list_season_pks_to_freeze() == []
    scoring.services.return_session_to_setup(session=session, by=user)
    assert list_season_pks_to_freeze() == [season.pk]
    freeze_handicaps(season)
    assert not EntryHandicap.objects.exists()
    assert list_season_pks_to_freeze() == []
    for player in Player.objects.all():
        set_personal_handicap(
            season=season, player=player.pk, a_board="1/4", reason="ill", by=user
        )
    scoring.services.open_session(session=session, by=user)
    freeze_handicaps(season)
    assert set(EntryHandicap.objects.values_list("a_board", flat=True)) == {"1/4"}


@pytest.mark.parametrize("is_ended_first", [False, True])
def test_change_from_per_cent_to_tricks_recomputes_handicaps_and_can_be_undone(
    *, is_ended_first: bool
) -> None:
    """Otherwise ten per cent would become ten tricks a board."""
    event, season = create_event_in_season()
    set_season_handicap(season=season, terms={"figure": "percent"}, by=None)
    person = event.entries.order_by("number")[0].players.first()
    handicap_arguments = {"season": season, "player": person.pk, "by": None}
    set_personal_handicap(**handicap_arguments, a_board="20", reason="x")
    freeze_handicaps(season)
    frozen_handicaps_before = list_frozen_handicaps()
    assert frozen_handicaps_before[0][1] == "10"  # the mean of a pair
    if is_ended_first:
        set_season_handicap(season=season, terms=None, by=None)
        assert list_frozen_handicaps() == frozen_handicaps_before
    with pytest.raises(HandicapRefused, match="Remove the handicaps set by hand first"):
        set_season_handicap(season=season, terms={}, by=None)
    set_personal_handicap(**handicap_arguments, a_board="")
    set_season_handicap(season=season, terms={}, by=None)
    assert list_season_pks_to_freeze() == [season.pk]
    freeze_handicaps(season)
    assert {a_board for _entry, a_board in list_frozen_handicaps()} == {"0"}
    act = audit.list_acts(season).filter(action="handicap.settled").first()
    undo_references = replace_undo_references(
        act.back, ARCHIVE_SPEC, lambda label, key: f"{label} {key}"
    )
    kept_handicaps = undo_references["given"][
        "kept"
    ]  # on another machine entries have other keys
    assert kept_handicaps[0][0] == f"tournaments.Entry {frozen_handicaps_before[0][0]}"
    undo_recorded_act(audit.list_acts(season), act, INVERSES, season=season, by=None)
    assert list_frozen_handicaps() == frozen_handicaps_before
    set_season_handicap(season=season, terms={"figure": "percent", "share": 1}, by=None)
    assert list_frozen_handicaps() == frozen_handicaps_before


def test_locally_played_evening_has_additional_handicap_ranking() -> None:
    session, user = evenings.play_session(6)
    event = session.event
    season = SeasonFactory(club=event.club, first_day=event.date, last_day=event.date)
    scoring.services.close_session(session=session, by=user)
    evenings.end_correction_period(session)
    standings.update_standings(event)
    standings_before = list(event.ranking.standings.values_list("entry", "rank", "score"))
    last = event.ranking.standings.order_by("rank").last()
    assert last is not None
    set_season_handicap(season=season, terms={}, by=user)
    for player in last.entry.players.all():
        set_personal_handicap(season=season, player=player.pk, a_board="9", reason="x", by=user)
    freeze_handicaps(season)
    club, client = event.club.slug, Client()
    page = client.get(reverse("handicap_evening", args=[club, season.slug, event.slug]))
    assert page.status_code == 200
    sheet = page.context["sheet"]
    handicap_url = reverse("handicap_evening", args=[club, season.slug, event.slug])
    assert handicap_url in client.get(reverse("event", args=[event.slug])).content.decode()
    (first,) = (line.line for line in sheet.lines if line.line.handicap)
    assert (first.entry.entry_number, first.entry.place) == (last.entry.number, last.rank)
    assert first.rank == 1
    event.ranking.refresh_from_db()
    assert (
        list(event.ranking.standings.values_list("entry", "rank", "score")) == standings_before
    )
    for name in ("handicap_csv", "handicap_pdf"):
        response = client.get(reverse(name, args=[club, season.slug, event.slug]))
        assert response.status_code == 200
    api_response = client.get(
        f"/api/clubs/{club}/seasons/{season.slug}/handicaps/{event.slug}/"
    )
    assert [row["rank"] for row in api_response.json()["rows"] if row["handicap"] == "9"] == [1]
    assert client.get(f"/api/clubs/{club}/seasons/{season.slug}/handicaps/").status_code == 200
    response = client.get(reverse("handicap_evening", args=[club, season.slug, "nothing"]))
    assert response.status_code == 404


def test_strata_have_handicap_column_next_to_scratch_column() -> None:
    session, user = evenings.play_session(6)
    event = session.event
    season = SeasonFactory(club=event.club, first_day=event.date, last_day=event.date)
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], rule="hand", by=user)
    stratum_by_entry = {number: "AB"[number % 2] for number in range(1, 7)}
    profiles = {number: {"stratum": name} for number, name in stratum_by_entry.items()}
    scoring.services.set_entry_profiles(event=event, profiles_by_number=profiles, by=user)
    scoring.services.close_session(session=session, by=user)
    evenings.end_correction_period(session)
    standings.update_standings(event)
    set_season_handicap(season=season, terms={}, by=user)
    scratch_entries = [
        number
        for number in event.ranking.standings.order_by("rank").values_list(
            "entry__number", flat=True
        )
        if stratum_by_entry[number] == "B"
    ]
    last = event.entries.get(number=scratch_entries[-1])
    for player in last.players.all():
        set_personal_handicap(season=season, player=player.pk, a_board="9", reason="x", by=user)
    freeze_handicaps(season)
    terms = load_season_terms(season)
    assert terms is not None
    sheet = load_handicap_ranking(season, terms, event.slug)
    assert sheet is not None
    actual = {stratum.name: stratum for stratum in sheet.strata}
    assert [(stratum.name, stratum.covered_names) for stratum in sheet.strata] == [
        ("A", "A, B"),
        ("B", "B"),
    ]
    assert len(actual["A"].rows) == 6
    first, *other_rows = actual["B"].rows
    assert (first.rank, first.line.entry.entry_number, first.rank_without_handicap) == (
        1,
        last.number,
        3,
    )
    assert {row.stratum_name for row in (first, *other_rows)} == {"B"}
    sorted_strengths = sorted((row.line.strength for row in other_rows), reverse=True)
    assert [row.line.strength for row in other_rows] == sorted_strengths
    slugs = (event.club.slug, season.slug, event.slug)
    client = Client()
    page = client.get(reverse("handicap_evening", args=slugs)).content.decode()
    assert page.count("Stratum ") == 2
    csv_text = client.get(reverse("handicap_csv", args=slugs)).content.decode()
    assert csv_text.splitlines()[0].endswith("rank_A,rank_B")
    api = client.get(f"/api/clubs/{slugs[0]}/seasons/{slugs[1]}/handicaps/{slugs[2]}/").json()
    assert [len(stratum["rows"]) for stratum in api["strata"]] == [6, 3]
    assert api["strata"][1]["rows"][0]["place"] == 3
    pdf = client.get(reverse("handicap_pdf", args=slugs)).content
    assert pdf.count(b"/Type /Page\n") == 3


def test_handicap_of_hidden_player_is_never_shown() -> None:
    season = import_spring()
    Player.objects.filter(name="Ann Lee").update(shown=Player.Shown.NO_NAME)
    terms = load_season_terms(season)
    assert terms is not None
    assert "Ann Lee" not in {
        current_handicap.name for current_handicap in list_current_handicaps(season, terms)
    }
    slugs = (season.club.slug, "spring")
    for address in (
        reverse("handicaps", args=slugs),
        reverse("handicap_evening", args=[*slugs, "week-6"]),
        reverse("handicap_csv", args=[*slugs, "week-6"]),
        f"/api/clubs/{slugs[0]}/seasons/spring/handicaps/",
        f"/api/clubs/{slugs[0]}/seasons/spring/handicaps/week-6/",
    ):
        response = Client().get(address)
        assert response.status_code == 200, address
        assert "Ann Lee" not in response.content.decode(), address


def test_command_prints_all_handicaps_and_ranking_of_evening() -> None:
    import_spring()
    data = json.loads(run_command("handicap", "spring", "--format", "json"))
    assert data["figure"] == "plus"
    assert data["people"][0] == {
        "who": "Ann Lee",
        "handicap": "1/5",
        "how": "found",
        "mean": "-1/4",
        "evenings": 6,
    }
    evening = json.loads(run_command("handicap", "spring/week-6", "--format", "json"))
    assert evening["rows"][0]["value"] == "6/5"
    assert "+0.20" in run_command("handicap", "spring")
    assert "−1.2" in run_command("handicap", "spring/week-6")
    assert (
        run_command("handicap", "spring/week-6", "--format", "csv")
        .splitlines()[1]
        .startswith(",1,")
    )
    with pytest.raises(CommandError, match="no finished evening week-9"):
        run_command("handicap", "spring/week-9")


def test_handicaps_accept_a_decimal_comma() -> None:
    club, user = evenings.create_club_with_director()
    season = SeasonFactory(club=club)
    player = Player.objects.create(club=club, name="Ann Lee")
    client = Client()
    client.force_login(user)
    act = reverse("season_handicap_act", args=[season.slug])
    client.post(act, {"act": "settle", "share": "0,75", "newcomers": "largest"})
    client.post(act, {"act": "give", "player": player.pk, "a_board": "−0,1", "reason": "x"})
    terms = load_season_terms(season)
    assert terms is not None
    assert terms.share == Fraction(3, 4)
    assert HandicapByHand.objects.get().a_board == "-1/10"


def test_director_sets_gives_and_undoes_handicaps_on_page() -> None:
    club, user = evenings.create_club_with_director()
    season = SeasonFactory(club=club)
    player = Player.objects.create(club=club, name="Ann Lee")
    client = Client()
    client.force_login(user)
    page, act = (
        reverse(name, args=[season.slug]) for name in ("season_handicap", "season_handicap_act")
    )
    assert "Off." in client.get(page).content.decode()
    invalid_response = client.post(act, {"act": "settle", "share": "3", "last": "ten"})
    assert invalid_response.status_code == 400
    assert invalid_response.context["given"]["share"] == "3"
    assert set(invalid_response.context["faults"]) == {"share", "last"}
    client.post(act, {"act": "settle", "share": "1/2", "newcomers": "largest"})
    terms = load_season_terms(season)
    assert terms is not None
    assert (terms.share, terms.newcomers) == (Fraction(1, 2), "largest")
    handicap_form = {
        "act": "give",
        "player": player.pk,
        "a_board": "−0.1",
        "reason": "champion",
    }
    page_text = client.post(act, handicap_form, follow=True).content.decode()
    assert "Set by the director: −0.1" in page_text
    assert "champion" in page_text
    assert (
        "champion"
        not in Client()
        .get(reverse("handicaps", args=[club.slug, season.slug]))
        .content.decode()
    )
    (handicap_act,) = audit.list_acts(season).filter(action="handicap.given")
    client.post(reverse("season_act_undo", args=[season.slug, handicap_act.pk]))
    assert not HandicapByHand.objects.exists()
    client.post(act, {"act": "end"})
    assert load_season_terms(season) is None
    stranger = Client()
    assert stranger.get(page).status_code == 302
