"""A season's ladders are added, changed and removed on pages, each with undo."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import audit
from clubs.undo import undo_recorded_act
from seasons.ladders.errors import LadderRefused
from seasons.ladders.inverses import INVERSES
from seasons.ladders.models import Handicap, Ladder, Season
from seasons.ladders.rules.presets import PRESETS
from seasons.ladders.season_file import build_season_document
from seasons.ladders.season_tables import load_ladder_table
from seasons.ladders.services.importing import import_season
from seasons.ladders.services.ladders import (
    MAX_LADDERS,
    change_season,
    delete_ladder,
    save_ladder,
)
from tests.factories import (
    EntryElsewhereFactory,
    LadderFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
    SeatElsewhereFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
BEST_FIVE_RULE = {"who": "players", "measure": "plus", "combine": "sum", "best": 5}
MEAN_RULE = {"who": "players", "measure": "percent", "combine": "mean", "minimum": 8}


def read_ladder_rows(season: Season) -> list[tuple[str, str, Any, list[tuple[int, str]]]]:
    return [
        (
            row.slug,
            row.name,
            row.rule,
            [(handicap.player_id, handicap.a_board) for handicap in row.handicaps.all()],
        )
        for row in season.ladders.order_by("slug")
    ]


def undo_newest(season: Season) -> None:
    acts = audit.list_acts(season)
    newest_act = acts.first()
    assert newest_act is not None
    undo_recorded_act(acts, newest_act, INVERSES, season=season, by=None)


def add_ladder(season: Season) -> None:
    save_ladder(season=season, name="Average", rule=MEAN_RULE, by=None)


def change_ladder(season: Season) -> None:
    save_ladder(season=season, name="Best of all", rule=MEAN_RULE, ladder_slug="best", by=None)


def remove_ladder(season: Season) -> None:
    delete_ladder(season=season, ladder="best", by=None)


@pytest.mark.slow
@pytest.mark.parametrize("act", [add_ladder, change_ladder, remove_ladder])
def test_each_ladder_action_can_be_undone_and_redone(act: Any) -> None:
    season = SeasonFactory()
    row = LadderFactory(season=season, slug="best", name="Best five", rule=BEST_FIVE_RULE)
    Handicap.objects.create(ladder=row, player=PlayerFactory(club=season.club), a_board="1/20")
    ladder_rows_before = read_ladder_rows(season)
    act(season)
    ladder_rows_after = read_ladder_rows(season)
    assert ladder_rows_after != ladder_rows_before
    undo_newest(season)
    assert read_ladder_rows(season) == ladder_rows_before
    undo_newest(season)
    assert read_ladder_rows(season) == ladder_rows_after


def test_double_click_creates_one_ladder() -> None:
    season = SeasonFactory()
    ladder = save_ladder(season=season, name=" Average ", rule=MEAN_RULE, by=None)
    other_ladder = save_ladder(season=season, name="Average", rule=MEAN_RULE, by=None)
    assert ladder.pk == other_ladder.pk
    assert (
        save_ladder(season=season, name="Average", rule=BEST_FIVE_RULE, by=None).slug
        == "average-2"
    )
    assert audit.list_acts(season).count() == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "setting"),
    [
        (BEST_FIVE_RULE | {"drop_from": 5, "drop_every": 2}, "best"),
        ({"who": "players", "measure": "place", "combine": "sum"}, "points"),
        (BEST_FIVE_RULE | {"handicap": True}, "handicap"),
        (BEST_FIVE_RULE | {"best": 0}, "best"),
    ],
)
def test_invalid_ladder_rule_is_refused_at_its_setting(rule: Any, setting: str) -> None:
    season = SeasonFactory()
    with pytest.raises(LadderRefused) as exc_info:
        save_ladder(season=season, name="Wrong", rule=rule, by=None)
    assert setting in {fault.setting for fault in exc_info.value.faults}
    assert not season.ladders.exists()


def test_season_limits_number_of_ladders_and_requires_ladder_names() -> None:
    season = SeasonFactory()
    for number in range(MAX_LADDERS):
        LadderFactory(season=season, slug=f"l-{number}")
    with pytest.raises(LadderRefused, match=str(MAX_LADDERS)):
        save_ladder(season=season, name="Add a ladder", rule=MEAN_RULE, by=None)
    with pytest.raises(LadderRefused, match="name"):
        save_ladder(season=season, name="  ", rule=MEAN_RULE, by=None)


def test_change_of_season_dates_can_be_undone() -> None:
    season = SeasonFactory()
    new_values = {
        "name": "Spring",
        "first_day": date(2026, 1, 1),
        "last_day": date(2026, 5, 31),
    }
    change_season(season=season, **new_values, by=None)
    season.refresh_from_db()
    assert (season.name, season.last_day) == ("Spring", date(2026, 5, 31))
    undo_newest(season)
    season.refresh_from_db()
    assert (season.name, season.last_day) == ("Spring 2026", date(2026, 6, 30))
    with pytest.raises(LadderRefused, match="before"):
        change_season(season=season, **new_values | {"last_day": date(2025, 5, 31)}, by=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first_day", "last_day", "expected_evening_count"),
    [
        ("2026-01-01", "2026-01-15", 0),
        ("2026-01-01", "2026-02-01", 0),
        ("2026-01-01", "2026-02-02", 1),
        ("2026-02-02", "2026-03-02", 2),
        ("2026-02-03", "2026-12-31", 1),
        ("2026-03-03", "2026-12-31", 0),
        ("2025-01-01", "2027-12-31", 2),
    ],
)
def test_imported_evenings_count_within_season_dates_and_none_is_lost(
    first_day: str, last_day: str, expected_evening_count: int
) -> None:
    season = SeasonFactory(first_day=date(2026, 1, 1), last_day=date(2026, 12, 31))
    row = LadderFactory(season=season, slug="all", rule=BEST_FIVE_RULE | {"best": 1})
    ann = PlayerFactory(club=season.club)
    for day in (date(2026, 2, 2), date(2026, 3, 2)):
        entry = EntryElsewhereFactory(evening__season=season, evening__date=day)
        SeatElsewhereFactory(entry=entry, player=ann)

    def count_evenings(counted_season: Season) -> int:
        return sum(
            line.evening_count
            for line in load_ladder_table(counted_season.ladders.get(slug=row.slug)).ranked_rows
        )

    days = {
        "first_day": date.fromisoformat(first_day),
        "last_day": date.fromisoformat(last_day),
    }
    change_season(season=season, name="Other days", **days, by=None)
    season.refresh_from_db()
    assert count_evenings(season) == expected_evening_count
    document = build_season_document(season)
    assert len(document["evenings"]) == expected_evening_count
    document["season"]["slug"] = "again"
    assert (
        count_evenings(import_season(document=document, club=season.club, by=None))
        == expected_evening_count
    )
    undo_newest(season)
    season.refresh_from_db()
    assert count_evenings(season) == 2


@pytest.fixture
def desk(client: Client) -> Season:
    user = UserFactory()
    client.force_login(user)
    return SeasonFactory(club=MembershipFactory(user=user).club)


@pytest.mark.parametrize("preset_key", [preset.preset_key for preset in PRESETS])
def test_page_adds_each_standard_kind_of_ladder(
    client: Client, desk: Season, preset_key: str
) -> None:
    path = f"{reverse('ladder_new', args=[desk.slug])}?like={preset_key}"
    form = client.get(path).context["form"]
    values_by_key = {
        key: value for key, value in form.initial.items() if value not in ("", None)
    }
    response = client.post(path, values_by_key, follow=True)
    assert response.status_code == 200, response.context["form"].errors
    row = desk.ladders.get()
    assert row.name == form.initial["name"]
    expected_rule = next(
        preset for preset in PRESETS if preset.preset_key == preset_key
    ).build_rule(8, ["4", "3", "2", "1"])
    assert row.rule == expected_rule
    assert row.name in response.content.decode()


def test_page_changes_rule_and_shows_invalid_settings(client: Client, desk: Season) -> None:
    row = LadderFactory(season=desk, slug="best", name="Best five", rule=BEST_FIVE_RULE)
    path = reverse("ladder_edit", args=[desk.slug, "best"])
    fields = {
        **{"name": "Best six", "who": "players", "measure": "plus", "combine": "sum"},
        **{"best": "6", "members_only": "on", "ties": ["latest", "singles"]},
        **{"contests": ["pairs", "drive"], "least_part": "1/3"},
    }
    invalid_response = client.post(path, fields | {"drop_from": "5", "drop_every": "2"})
    assert invalid_response.status_code == 400
    assert "Choose one: the best evenings count" in invalid_response.content.decode()
    row.refresh_from_db()
    assert row.rule == BEST_FIVE_RULE
    assert client.post(path, fields).status_code == 302
    row.refresh_from_db()
    assert row.rule == {
        **BEST_FIVE_RULE,
        **{"best": 6, "members_only": True, "ties": ["singles", "latest"]},
        **{"contests": ["pairs", "drive"], "least_part": "1/3"},
    }
    page = client.get(path).context["form"].initial
    assert (page["best"], page["least_part"], page["name"]) == (6, "1/3", "Best six")


@pytest.mark.slow
def test_only_club_managers_can_manage_ladders(client: Client, desk: Season) -> None:
    LadderFactory(season=desk, slug="best")
    client.force_login(UserFactory())
    for name, slugs in (
        ("season_ladders", [desk.slug]),
        ("ladder_new", [desk.slug]),
        ("ladder_edit", [desk.slug, "best"]),
    ):
        assert client.get(reverse(name, args=slugs)).status_code == 404
    assert client.post(reverse("ladder_remove", args=[desk.slug, "best"])).status_code == 404
    assert Ladder.objects.exists()


def test_page_removes_ladder_and_offers_undo(client: Client, desk: Season) -> None:
    LadderFactory(season=desk, slug="best", name="Best five")
    path = reverse("ladder_remove", args=[desk.slug, "best"])
    page = client.post(path, follow=True).content.decode()
    assert "Best five removed." in page
    act = audit.list_acts(desk).first()
    assert act is not None
    client.post(reverse("season_act_undo", args=[desk.slug, act.pk]))
    assert desk.ladders.get().name == "Best five"
    desk.ladders.all().delete()
    repeated_html = client.post(path, follow=True).content.decode()
    assert "Already removed" in repeated_html


@pytest.mark.slow
def test_page_changes_season_dates(client: Client, desk: Season) -> None:
    path = reverse("season_ladders", args=[desk.slug])
    days = {"name": "Autumn", "first": "2026-09-01", "last": "2026-12-31"}
    assert client.post(path, days).status_code == 302
    desk.refresh_from_db()
    assert desk.name == "Autumn"
    for invalid_values in (
        *({"last": "2026-08-01"}, {"last": "soon"}, {"name": " "}),
        *({"last": "9999-12-31"}, {"first": "0001-01-01"}),
    ):
        assert client.post(path, days | invalid_values).status_code == 400
    desk.refresh_from_db()
    assert desk.last_day == date(2026, 12, 31)


def test_season_with_extreme_dates_keeps_them_and_can_be_renamed(
    client: Client, desk: Season
) -> None:
    Season.objects.update(first_day=date(1, 1, 1), last_day=date.max)
    path = reverse("season_ladders", args=[desk.slug])
    days = {"name": "For ever", "first": "0001-01-01", "last": "9999-12-31"}
    assert client.post(path, days).status_code == 302
    desk.refresh_from_db()
    assert (desk.name, desk.last_day) == ("For ever", date.max)


@pytest.mark.parametrize(
    ("change", "expected_error"),
    [
        ({"name": "Spring\x00"}, "contains a character that"),
        ({"last_day": date(9999, 12, 31)}, "1900 to 2200"),
        ({"first_day": date(1, 1, 1)}, "1900 to 2200"),
    ],
)
def test_season_values_that_do_not_fit_file_are_refused_on_page(
    change: dict[str, Any], expected_error: str
) -> None:
    season = SeasonFactory()
    days = {"first_day": season.first_day, "last_day": season.last_day}
    with pytest.raises(LadderRefused, match=expected_error):
        change_season(season=season, by=None, **({"name": "Spring", **days} | change))
    season.refresh_from_db()
    assert (season.first_day, season.last_day) == (days["first_day"], days["last_day"])
