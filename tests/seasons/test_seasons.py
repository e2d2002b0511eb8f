"""Test seasons from files and from standings: computation, validation, updates, privacy."""

import json
import re
from datetime import date
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import scoring.services
import tournaments.services
from clubs import audit
from clubs.file_fields import UnusableFile
from clubs.models import Club, Player
from clubs.undo import undo_recorded_act
from scoring.models import Standing
from scoring.standings_engine import standings
from seasons.ladders.api import LadderSerializer
from seasons.ladders.forms import parse_points
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import Ladder, Season, SeatElsewhere
from seasons.ladders.rules.presets import PRESETS
from seasons.ladders.season_file import build_season_document, read_season
from seasons.ladders.season_tables import load_ladder_table
from seasons.ladders.services.importing import import_season
from seasons.ladders.services.ladders import close_season
from seasons.ladders.sheets.ladders import build_ladder_sheet
from server.json_reader.values import parse_fraction
from tests import evenings
from tests.factories import LadderFactory, SeasonFactory
from tests.seasons.ladders.recount import recount_ladder
from tests.seasons.ladders.seasons_by_chance import draw_season

pytestmark = pytest.mark.django_db


def run_season_command(*arguments: str) -> str:
    output = StringIO()
    call_command("season", *arguments, stdout=output)
    return output.getvalue()


def build_season_file() -> dict[str, Any]:
    return {
        "format": "whist-season/1",
        "club": {"name": "Riverside"},
        "players": [
            {"id": "a", "name": "Ann Lee", "member": True, "number": "0012"},
            {"id": "b", "name": "Łucja Nowak", "member": True},
            {"id": "c", "name": "Cy Dee", "member": False},
        ],
        "season": {
            "slug": "spring",
            "name": "Spring",
            "from": "2026-01-01",
            "to": "2026-06-30",
        },
        "ladders": [
            {
                "slug": "best",
                "name": "Best two",
                "who": "players",
                "measure": "place",
                "points": [8, 6],
                "combine": "sum",
                "best": 2,
            }
        ],
        "evenings": [
            {
                "slug": "one",
                "date": "2026-02-01",
                "boards": 24,
                "entries": [
                    {"players": ["a", "b"], "score": 2.5},
                    {"players": ["c"], "score": "-5/2"},
                ],
            }
        ],
    }


@pytest.mark.slow
def test_random_ladders_match_independent_implementation() -> None:
    row_count = 0
    for seed in range(6):
        document = draw_season(seed, f"season-{seed}")
        text = json.dumps(document)
        import_season(document=text, by=None)
        exact_document = json.loads(text, parse_float=Fraction)
        season = Season.objects.get(slug=f"season-{seed}")
        for row in season.ladders.prefetch_related("handicaps"):
            data = LadderSerializer(build_ladder_sheet(row, has_full_names=True)).data
            assert data == recount_ladder(exact_document, row.slug), (seed, row.slug)
            row_count += len(data["rows"])
    assert row_count > 50


def test_season_commands_import_files_and_print_ladders(tmp_path: Path) -> None:
    file = tmp_path / "spring.json"
    file.write_text(json.dumps(build_season_file()), encoding="utf-8")
    assert run_season_command("import", str(file)).splitlines()[-1] == "spring"
    data = json.loads(run_season_command("ladder", "spring/best", "--format", "json"))
    assert data["rows"][0] == {
        "rank": 1,
        "tied": True,
        "who": ["Ann Lee"],
        "evenings": 1,
        "counted": 1,
        "value": "8",
    }
    assert "Ann Lee" in run_season_command("ladder", "spring")
    assert (
        run_season_command("ladder", "spring", "--format", "csv")
        .splitlines()[1]
        .startswith("1,yes,Ann")
    )
    call_command("season", "ladder", "spring", "--format", "pdf", "--out", tmp_path / "l.pdf")
    assert (tmp_path / "l.pdf").read_bytes().startswith(b"%PDF")
    assert "version 1" in run_season_command("close", "spring")
    assert "version 1" in run_season_command("close", "spring")
    with pytest.raises(CommandError, match="already a season spring"):
        run_season_command("import", str(file))
    exported_document = json.loads(run_season_command("export", "spring"))
    exported_document["season"]["slug"] = "again"
    import_season(document=exported_document, by=None)
    assert (
        json.loads(run_season_command("ladder", "again", "--format", "json"))["rows"]
        == data["rows"]
    )
    assert Player.objects.get(number="0012").kind == "member"
    assert Player.objects.get(name="Cy Dee").kind == "visitor"


def list_refused_paths(document: dict[str, Any]) -> set[str]:
    with pytest.raises(UnusableFile) as exc_info:
        import_season(document=document, by=None)
    assert not Season.objects.exists()
    assert not Club.objects.exists()
    return {problem.partition(": ")[0] for problem in exc_info.value.problems}


def test_unreadable_fields_are_reported_by_path_and_nothing_is_written() -> None:
    invalid_document = build_season_file()
    invalid_document["season"]["to"] = "2025-01-01"
    invalid_document["ladders"][0] |= {"measures": 1}
    invalid_document["evenings"][0]["entries"][0] |= {"score": True}
    del invalid_document["evenings"][0]["boards"]
    assert list_refused_paths(invalid_document) == {
        "season.to",
        "ladders[0].measures",
        "evenings[0].boards",
        "evenings[0].entries[0].score",
    }


def test_contradictory_parts_of_file_are_reported_by_path() -> None:
    faulty = build_season_file()
    faulty["players"][2]["id"] = "a"
    faulty["ladders"][0] |= {"best": 0}
    faulty["ladders"].append(dict(faulty["ladders"][0]))
    faulty["evenings"][0]["date"] = "2025-01-01"
    faulty["evenings"][0]["entries"][0] |= {"players": ["a", "zz"]}
    assert list_refused_paths(faulty) == {
        "players[2].id",
        "ladders[0].best",
        "ladders[1].best",
        "ladders[1].slug",
        "evenings[0].date",
        "evenings[0].entries[0].players[1]",
        "evenings[0].entries[1].players[0]",
    }


@pytest.mark.parametrize(
    ("key", "max_length"), [("players", 5_000), ("evenings", 600), ("ladders", 100)]
)
def test_lists_of_season_file_have_limited_lengths(key: str, max_length: int) -> None:
    too_long = f"{key}: The list is too long. Use at most {max_length}."
    document = build_season_file()
    document[key] = document[key][:1] * (max_length + 1)
    with pytest.raises(UnusableFile) as exc_info:
        read_season(document)
    assert list(exc_info.value.problems) == [too_long]
    document[key] = document[key][:max_length]
    with pytest.raises(UnusableFile) as exc_info:  # the items are identical
        read_season(document)
    assert too_long not in exc_info.value.problems


@pytest.mark.parametrize(
    "document", ["", "{", "[]", '{"a": 1, "a": 2}', '{"x": NaN}', "1e999999"]
)
def test_invalid_season_file_is_refused_with_message(document: str) -> None:
    with pytest.raises(UnusableFile):
        import_season(document=document, by=None)


def test_season_file_counts_player_only_from_evening_of_joining() -> None:
    rule = {"who": "players", "measure": "plus", "combine": "sum", "members_only": True}
    days = {"from": "2026-01-01", "to": "2026-06-30"}
    document: dict[str, Any] = {
        "format": "whist-season/1",
        "club": {"name": "Riverside"},
        "players": [{"id": key, "name": f"Person {key}", "member": True} for key in "abcd"],
        "season": {"slug": "spring", "name": "Spring", **days},
        "ladders": [{"slug": "members", "name": "Members", **rule, "minimum": 1}],
        "evenings": [
            {
                "slug": f"week-{week}",
                "date": f"2026-01-0{week}",
                "boards": 24,
                "entries": [
                    {"players": ["a", "b"], "score": 2, "visitors": ["a"][: 2 - week]},
                    {"players": ["c", "d"], "score": -2, "visitors": ["d"]},
                ],
            }
            for week in (1, 2)
        ],
    }
    season = import_season(document=document, by=None)
    data_before = LadderSerializer(
        build_ladder_sheet(season.ladders.get(), has_full_names=True)
    ).data
    texts_by_key = {
        row["who"][0]: (row["value"], row["evenings"]) for row in data_before["rows"]
    }
    assert texts_by_key == {"Person a": ("2", 1), "Person b": ("4", 2), "Person c": ("-4", 2)}
    written_document = build_season_document(season)
    assert [player["member"] for player in written_document["players"]] == [
        True,
        True,
        True,
        False,
    ]
    assert [
        [entry.get("visitors") for entry in evening["entries"]]
        for evening in written_document["evenings"]
    ] == [[[written_document["players"][0]["id"]], None], [None, None]]
    written_document["season"]["slug"], written_document["club"]["name"] = "again", "Far away"
    repeated_season = import_season(document=written_document, by=None)
    assert (
        LadderSerializer(
            build_ladder_sheet(repeated_season.ladders.get(), has_full_names=True)
        ).data
        == data_before
    )
    document["season"] = {"slug": "third", "name": "Third", **days}
    document["evenings"][0]["entries"][0]["visitors"] = ["c"]
    with pytest.raises(UnusableFile) as exc_info:
        import_season(document=document, by=None)
    assert exc_info.value.problems == (
        ("evenings[0].entries[0].visitors[0]: “c” isn’t one of this entry’s players."),
    )


def test_import_and_close_of_season_can_be_undone_completely() -> None:
    season = import_season(document=build_season_file(), by=None)
    close_season(season=season, by=None)
    acts = audit.list_acts(season)
    undo_recorded_act(acts, acts[0], INVERSES, season=season, by=None)
    assert not season.versions.exists()
    acts = audit.list_acts(season)
    undo_recorded_act(
        acts, acts.get(action="season.imported"), INVERSES, season=season, by=None
    )
    assert not Season.objects.exists()
    assert not Player.objects.exists()


def play_closed_event() -> tuple[Any, Any]:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    return session.event, user


def create_ladder(club: Club, **rule: Any) -> Ladder:
    default_rule = {"who": "pairs", "measure": "plus", "combine": "sum"}
    return LadderFactory(season=SeasonFactory(club=club), rule=default_rule | rule)


def test_finished_event_counts_and_correction_is_visible_immediately() -> None:
    event, user = play_closed_event()
    row = create_ladder(event.club)
    totals_before = {row.subject: row.total for row in load_ladder_table(row).rows}
    rows = Standing.objects.filter(ranking__event=event).select_related("entry")
    assert sorted(totals_before.values()) == sorted(Fraction(row.score) for row in rows)
    version = close_season(season=row.season, by=user)
    scoring.services.make_ruling(
        kind="penalty",
        entry=event.entries.get(number=1),
        session=event.sessions.get(),
        amount=2,
        reason="late",
        by=user,
    )
    standings.update_standings(event)
    totals_after = {row.subject: row.total for row in load_ladder_table(row).rows}
    total_changes = {
        who: totals_after[who] - totals_before[who]
        for who in totals_before
        if totals_after[who] != totals_before[who]
    }
    assert list(total_changes.values()) == [-2]
    assert close_season(season=row.season, by=user).number == version.number + 1


def test_archived_event_or_event_with_hidden_standings_does_not_count() -> None:
    event, user = play_closed_event()
    row = create_ladder(event.club)
    assert len(load_ladder_table(row).rows) == 6
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    assert not load_ladder_table(row).rows
    tournaments.services.set_standings_visibility(event=event, shown="after", by=user)
    assert len(load_ladder_table(row).rows) == 6
    tournaments.services.archive_event(event=event, by=user)
    assert not load_ladder_table(row).rows


def test_plus_minus_percentages_equal_matchpoint_percentages() -> None:
    event, user = play_closed_event()
    row = create_ladder(event.club, measure="percent")
    plus_minus_totals = {row.subject: row.total for row in load_ladder_table(row).rows}
    scoring.services.set_scoring_terms(event=event, method="matchpoints", by=user)
    standings.update_standings(event)
    matchpoint_totals = {row.subject: row.total for row in load_ladder_table(row).rows}
    assert plus_minus_totals == matchpoint_totals
    assert len(set(matchpoint_totals.values())) > 1


def test_hidden_player_counts_in_sums_but_is_not_named() -> None:
    event, user = play_closed_event()
    row = create_ladder(event.club, who="players", measure="place", points=[3, 2, 1])
    hidden_player = event.entries.get(number=1).players.order_by("pk")[0]
    tournaments.services.set_player_visibility(player=hidden_player, shown="nobody", by=user)
    slugs = [event.club.slug, row.season.slug, row.slug]
    client = Client()
    page = client.get(reverse("ladder", args=slugs))
    assert page.status_code == 200
    text = page.content.decode()
    assert "A player" in text
    assert f"who={hidden_player.pk}&" not in text
    assert f'who={hidden_player.pk}"' not in text
    line_url = reverse("ladder_line", args=slugs)
    assert client.get(line_url, {"who": str(hidden_player.pk)}).status_code == 404
    for name in ("season", "ladder_csv", "ladder_xlsx", "ladder_pdf"):
        args = slugs[:2] if name == "season" else slugs
        response = client.get(reverse(name, args=args))
        assert response.status_code == 200
        assert hidden_player.name not in response.content.decode("latin-1"), name
    api_url = f"/api/clubs/{slugs[0]}/seasons/{slugs[1]}/ladders/{slugs[2]}/"
    response = client.get(api_url)
    assert hidden_player.name not in response.content.decode()
    assert len(response.json()["rows"]) == len(load_ladder_table(row).rows)


def test_long_ladder_is_folded_and_link_jumps_to_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, _user = play_closed_event()
    row = create_ladder(event.club, who="players")
    ladder_url = reverse("ladder", args=[event.club.slug, row.season.slug, row.slug])
    html = Client().get(ladder_url).content.decode()
    assert '<details class="more">' in html
    last = build_ladder_sheet(row).lines[-1]
    page = Client().get(ladder_url, {"find": last.names.upper()}).content.decode()
    assert '<details class="more" open>' in page
    assert len(re.findall(r'class="[^"]*is-mine', page)) == 1
    assert "No one here is called" in Client().get(ladder_url, {"find": "xyz"}).content.decode()
    monkeypatch.setattr("seasons.ladders.sheets.ladders.MAX_COLLAPSED_LINES", 99)
    assert 'class="more"' not in Client().get(ladder_url).content.decode()


def test_ladder_row_page_shows_calculation_and_scorecard_links() -> None:
    event, _user = play_closed_event()
    row = create_ladder(event.club, who="players", measure="place", points=[3, 2, 1])
    top_line = build_ladder_sheet(row).ranked[0]
    slugs = [event.club.slug, row.season.slug, row.slug]
    response = Client().get(reverse("ladder_line", args=slugs), {"who": top_line.row_key})
    text = response.content.decode()
    assert "Place 1/3: 3." in text
    assert reverse("scorecard", args=[event.slug, 1]).rpartition("1/")[0] in text


def test_ladder_queries_are_independent_of_number_of_evenings(
    django_assert_max_num_queries: Any,
) -> None:
    document = build_season_file()
    first_evening = document["evenings"][0]
    document["evenings"] = [
        {**first_evening, "slug": f"e{n}", "date": f"2026-02-{n + 1:02}"} for n in range(20)
    ]
    season = import_season(document=document, by=None)
    address = reverse("ladder", args=[season.club.slug, "spring", "best"])
    with django_assert_max_num_queries(16):
        assert Client().get(address).status_code == 200


def test_director_imports_and_closes_season_and_undoes_both() -> None:
    club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    page = reverse("own_seasons")
    output = StringIO(json.dumps(build_season_file()))
    output.name = "spring.json"
    page_text = client.post(page, {"file": output}, follow=True).content.decode()
    assert "Season “Spring” imported." in page_text
    season = Season.objects.get()
    assert season.club == club
    page_text = client.post(
        reverse("season_close", args=["spring"]), follow=True
    ).content.decode()
    assert "Spring: version 1 of the ladders saved." in page_text
    acts = audit.list_acts(season)
    client.post(reverse("season_act_undo", args=["spring", acts[0].pk]))
    assert not season.versions.exists()
    exported_season = client.get(reverse("season_file", args=["spring"])).json()
    assert exported_season["season"]["slug"] == "spring"
    assert client.post(page, {}).status_code == 400
    client.post(reverse("season_act_undo", args=["spring", acts.last().pk]))
    assert not SeatElsewhere.objects.exists()


SEASON_FORM = {
    "act": "begin",
    "name": "Season 2025/26",
    "first_day": "2025-09-01",
    "last_day": "2026-08-31",
    "count": "3",
    "points": "8-6-4",
}


def test_season_is_created_with_standard_ladders_by_ticking_them() -> None:
    """The boxes create what a file with the same rules creates, and one undo removes it."""
    club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    page, keys = reverse("own_seasons"), [preset.preset_key for preset in PRESETS]
    for _attempt in range(2):
        page_text = client.post(
            page, SEASON_FORM | {"ladders": keys}, follow=True
        ).content.decode()
        assert "Season 2025/26" in page_text
    season = Season.objects.get()
    assert (season.club, season.first_day) == (club, date(2025, 9, 1))
    rules = {ladder.slug: ladder.rule for ladder in season.ladders.all()}
    assert list(rules) == keys
    assert rules["best"] | {"best": 3, "measure": "plus"} == rules["best"]
    assert (rules["average"]["minimum"], rules["pairs"]["best"]) == (3, 3)
    assert [parse_fraction(point) for point in rules["places"]["points"]] == [8, 6, 4]
    for key in keys:
        response = Client().get(reverse("ladder", args=[club.slug, season.slug, key]))
        assert response.status_code == 200
    act = audit.list_acts(season).get()
    client.post(reverse("season_act_undo", args=[season.slug, act.pk]))
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("typed_text", "points"),
    [
        ("8-6-4", ["8", "6", "4"]),
        ("8, 6, 4", ["8", "6", "4"]),
        ("8,6,4", ["8", "6", "4"]),
        ("7.5-5-2.5", ["7.5", "5", "2.5"]),
        ("7,5-5-2,5", ["7.5", "5", "2.5"]),
        ("7,5; 5; 2,5", ["7.5", "5", "2.5"]),
        ("", []),
    ],
)
def test_place_points_accept_decimal_point_or_comma(typed_text: str, points: list[str]) -> None:
    assert parse_points(typed_text) == points


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"ladders": []}, "This field is required"),
        ({"last_day": "2025-08-31"}, "The last day is before the first day."),
        ({"count": "0"}, "greater than or equal to 1"),
        ({"points": "4-x"}, "Enter numbers with hyphens"),
        ({"points": "1-2", "ladders": ["places"]}, "A lower place can"),
        ({"points": "", "ladders": ["places"]}, "Enter a list of numbers"),
        ({"ladders": ["nonsense"]}, "Select a valid choice"),
        ({"first_day": "soon"}, "Enter a valid date"),
        ({"first_day": "0001-01-01"}, "Enter a date from 1900 to 2200."),
        ({"last_day": "9999-12-31"}, "Enter a date from 1900 to 2200."),
        ({"name": ""}, "This field is required"),
    ],
)
def test_invalid_season_form_shows_error(changed: dict[str, Any], expected: str) -> None:
    _club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    response = client.post(
        reverse("own_seasons"), {**SEASON_FORM, "ladders": ["best"], **changed}
    )
    assert response.status_code == 400
    assert expected in response.content.decode()
    assert not Season.objects.exists()
