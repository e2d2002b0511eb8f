"""Clubs have two levels: congress features are hidden until an owner switches them on."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import clubs.services
import scoring.services
import tournaments.services
from clubs import audit
from clubs.archives.exporter import export_club
from clubs.archives.importer import ImportOptions, import_club
from clubs.models import Act, Club, Membership
from clubs.undo import undo_recorded_act
from config.archives import ARCHIVE_SPEC
from config.search.hits import find_hits
from exchange.eventfile.exporter import export_event
from exchange.templatetags import exports
from hall.desk.doors import describe_possible_kinds
from hall.history.act_words import format_values
from hall.history.inverses import CLUB_INVERSES
from scoring.forms import EventForm
from seasons.ladders.models import Season, SeasonHandicap
from seasons.ladders.rules.handicaps import read_terms, serialize_terms
from seasons.ladders.services.handicaps import set_season_handicap
from server.models import User
from tests import evenings
from tests.factories import (
    ApiTokenFactory,
    DestinationFactory,
    GradeBookFactory,
    LadderFactory,
    PlayerFactory,
    SeasonFactory,
)
from tournaments.event_access import EventAccess
from tournaments.models import Event, Section
from tournaments.movements import build_named_movement
from tournaments.services.sections import PlannedSection
from tournaments.stages.rules import FinalsCriterion, StageRules
from tournaments.swiss.plan import SwissPlan
from tournaments.views.limits import EveningLimitsForm

pytestmark = pytest.mark.django_db

NOTICE_TEXT = "switch on congress features"


def seat_without_features(event: Event, user: User) -> None:
    """Do nothing: use no congress feature."""
    seat_by_movement(event, user, "howell")


def seat_by_movement(event: Event, user: User, name: str) -> None:
    """Seat the entries by a movement."""
    movement = build_named_movement(name, pairs=event.entries.count())
    plan = PlannedSection(movement, {}, list(event.entries.all()))
    tournaments.services.seat_sections(
        session=event.sessions.get(), planned_sections=[plan], boards_a_round=2, by=user
    )


def seat_two_sections(event: Event, user: User) -> None:
    entries = list(event.entries.all())
    plans = [
        PlannedSection(build_named_movement("compass", pairs=6), {}, section_entries)
        for section_entries in (entries[:6], entries[6:])
    ]
    tournaments.services.seat_sections(
        session=event.sessions.get(), planned_sections=plans, boards_a_round=2, by=user
    )


def seat_swiss(event: Event, user: User) -> None:
    scoring.services.seat_swiss(
        session=event.sessions.get(), plan=SwissPlan(3), boards_a_round=2, copy_count=6, by=user
    )


def seat_barometer(event: Event, user: User) -> None:
    seat_by_movement(event, user, "barometer")


def seat_custom_movement(event: Event, user: User) -> None:
    """Turn the seated movement into a custom one."""
    seat_by_movement(event, user, "howell")
    Section.objects.filter(session__event=event).update(movement="custom")


def set_bracket(event: Event, user: User) -> None:
    scoring.services.set_bracket(event=event, seeds=[1, 2, 3, 4], by=user)


def set_finals(event: Event, user: User) -> None:
    rule = StageRules((("A", 4), ("B", None)), FinalsCriterion.RANK)
    scoring.services.set_stage_rules(event=event, stage_rules=rule, by=user)


def set_seeds(event: Event, user: User) -> None:
    scoring.services.set_entry_profiles(
        event=event, profiles_by_number={1: {"seed": 1}}, by=user
    )


def set_strata(event: Event, user: User) -> None:
    scoring.services.set_strata(event=event, lines=[("A", ""), ("B", "")], by=user)


def set_prizes(event: Event, user: User) -> None:
    scoring.services.set_prizes(event=event, prizes=[{"name": "Cup"}], by=user)


def set_max_points(event: Event, user: User) -> None:
    Event.objects.filter(pk=event.pk).update(most_points=2000)


def set_memory_contest(event: Event, user: User) -> None:
    Event.objects.filter(pk=event.pk).update(contest="memory")


FUNCTIONS_THAT_USE_FEATURES: tuple[Callable[[Event, User], None], ...] = (
    *(
        seat_two_sections,
        seat_swiss,
        seat_barometer,
        seat_custom_movement,
        set_bracket,
        set_finals,
    ),
    *(set_seeds, set_strata, set_prizes, set_max_points, set_memory_contest),
)
DESK_FEATURE_PATHS = {"stages/", "bracket/", "seeds/", "prizes/"}
MOVEMENT_FEATURE_PATHS = {"movement/own/", "movement/sections/"}
FEATURE_TERM_NAMES = {"most_points", "across"}
FEATURE_TITLES = {
    "Finals and flights",
    "Knock-out",
    "Seeds and strata",
    "Prizes",
    "Swiss rounds",
}
FEATURE_TITLES |= {"Several sections", "Custom movement"}


def create_event_of_level(
    has_congress_features: bool,
    use_feature: Callable[[Event, User], None] = seat_without_features,
) -> tuple[Event, User]:
    """Create an event that uses a feature, in a club of a level."""
    event, user = evenings.create_event(12)
    use_feature(event, user)
    Club.objects.update(has_congress_features=has_congress_features)
    return Event.objects.get(pk=event.pk), user


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def read_page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return str(response.content.decode())


def list_hrefs(page: str, slug: str) -> set[str]:
    """Return the event pages to which a page links outside its navigation."""
    main = page.partition("<main")[2]
    return set(re.findall(rf'href="/director/events/{slug}/([^"#?]*)', main))


def list_found_titles(event: Event) -> Iterator[str]:
    club = event.club
    for title in FEATURE_TITLES:
        groups = find_hits(
            title,
            access=EventAccess(event),
            is_director=True,
            should_include_congress_pages=club.has_congress_features,
        )
        if title in {str(hit.title) for group in groups for hit in group.hits}:
            yield title


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("use", [seat_without_features, *FUNCTIONS_THAT_USE_FEATURES])
def test_event_shows_features_of_its_level_or_those_it_uses(
    use: Callable[[Event, User], None], congress: bool
) -> None:
    event, user = create_event_of_level(congress, use)
    client, slug = sign_in(user), event.slug
    shows_all_features = congress or use is not seat_without_features
    assert event.should_offer_congress_features == shows_all_features
    desk = read_page(client, f"/director/events/{slug}/")
    movement = read_page(client, f"/director/events/{slug}/movement/")
    terms = read_page(client, f"/director/events/{slug}/scoring/")
    assert list_hrefs(desk, slug) & DESK_FEATURE_PATHS == (
        DESK_FEATURE_PATHS if shows_all_features else set()
    )
    assert list_hrefs(movement, slug) & MOVEMENT_FEATURE_PATHS == (
        MOVEMENT_FEATURE_PATHS if shows_all_features else set()
    )
    assert ("movement/swiss/" in list_hrefs(movement, slug)) == (
        shows_all_features and event.contest == "pairs"
    )
    names = set(re.findall(r'name="(\w+)"', terms))
    assert names & FEATURE_TERM_NAMES == (FEATURE_TERM_NAMES if shows_all_features else set())
    assert ("max_tables" in EveningLimitsForm(event=event).fields) == shows_all_features
    assert set(list_found_titles(event)) == (FEATURE_TITLES if shows_all_features else set())
    for page in (desk, movement, terms):
        assert (NOTICE_TEXT in page) == (not shows_all_features)


@pytest.mark.parametrize("page", ["stages", "bracket", "seeds", "prizes", "movement/swiss"])
@pytest.mark.parametrize("use", [seat_without_features, set_bracket])
def test_page_of_a_hidden_feature_works_by_its_url(
    page: str, use: Callable[[Event, User], None]
) -> None:
    event, user = create_event_of_level(False, use)
    read_page(sign_in(user), f"/director/events/{event.slug}/{page}/")


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
def test_field_of_forty_pairs_is_divided_only_with_congress_features(congress: bool) -> None:
    event, user = evenings.create_event(40)
    Club.objects.update(has_congress_features=congress)
    page = read_page(sign_in(user), f"/director/events/{event.slug}/movement/")
    assert ('name="sections"' in page) == congress
    assert 'class="sheet sheet--best"' in page


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
def test_new_event_offers_the_features_of_its_level(congress: bool) -> None:
    club, user = evenings.create_club_with_director()
    Club.objects.update(has_congress_features=congress)
    page = read_page(sign_in(user), "/director/events/new/")
    assert ('name="most_points"' in page) == congress
    assert ('value="memory"' in page) == congress
    assert (NOTICE_TEXT in page) == (not congress)
    form = EventForm(clubs=Club.objects.filter(pk=club.pk))
    assert ("memory" in dict(form.fields["contest"].choices)) == congress
    form_data = {"name": "Tuesday", "date": "2026-03-10", "contest": "pairs"}
    form_data |= {"standings_shown": "always", "paper_size": "A4"}
    sign_in(user).post("/director/events/new/", form_data)
    assert Event.objects.get().contest == "pairs"


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
def test_other_forms_offer_no_sections_and_no_memory_duplicate(congress: bool) -> None:
    _club, user = evenings.create_club_with_director()
    Club.objects.update(has_congress_features=congress)
    client = sign_in(user)
    for page in ("new-series", "new"):
        assert (
            'value="memory"' in read_page(client, f"/director/calendar/{page}/")
        ) == congress
    assert ("sections" in describe_possible_kinds(160, congress)["duplicate"]) == congress


def test_scoring_form_keeps_values_that_it_does_not_show() -> None:
    event, user = create_event_of_level(False)
    event.sessions.update(across_sections=True)
    client, address = sign_in(user), f"/director/events/{event.slug}/scoring/"
    form = {"method": "matchpoints", "revokes_read": event.terms.revokes_read}
    assert client.post(address, form).status_code == 302
    event = Event.objects.get(pk=event.pk)
    assert event.terms.method == "matchpoints"
    assert (event.most_points, event.sessions.get().across_sections) == (None, True)


def test_search_for_a_hidden_feature_shows_the_notice() -> None:
    event, user = create_event_of_level(False)
    client = sign_in(user)
    assert NOTICE_TEXT in read_page(client, f"/director/search/?q=swiss&in={event.slug}")
    assert NOTICE_TEXT in read_page(client, "/director/search/?q=knock-out")
    assert "/movements/barometer/" not in read_page(client, "/director/search/?q=barometer")
    assert "/movements/barometer/" not in read_page(Client(), "/search/?q=barometer")
    assert NOTICE_TEXT not in read_page(Client(), "/search/?q=swiss")
    Club.objects.update(has_congress_features=True)
    response = Client().get("/search/?q=barometer")
    assert "/movements/barometer/" in response.headers.get("Location", "")


@pytest.mark.parametrize("role", [Membership.Role.OWNER, Membership.Role.DIRECTOR])
def test_notice_links_owners_to_the_switch_and_others_to_an_owner(role: str) -> None:
    event, user = create_event_of_level(False)
    Membership.objects.filter(user=user).update(role=role)
    client = sign_in(user)
    page = unescape(read_page(client, f"/director/events/{event.slug}/"))
    switch = f"/director/club/look/#congress-{event.club.slug}"
    assert (switch in page) == (role == Membership.Role.OWNER)
    assert ("ask an owner" in page) == (role == Membership.Role.DIRECTOR)
    response = client.post(
        "/director/club/congress/", {"club": event.club.slug, "congress": "on"}
    )
    assert response.status_code == (302 if role == Membership.Role.OWNER else 404)
    event.club.refresh_from_db()
    assert event.club.has_congress_features == (role == Membership.Role.OWNER)


def test_switch_is_recorded_once_and_undone() -> None:
    event, user = create_event_of_level(False)
    for _ in range(2):
        clubs.services.set_congress_features(club=event.club, congress=True, by=user)
    (act,) = audit.list_acts(event.club).filter(action="club.congress")
    assert (format_values(act.before), format_values(act.after)) == ("off", "on")
    assert "Congress features" in read_page(sign_in(user), "/director/history/")
    undo_recorded_act(audit.list_acts(event.club), act, CLUB_INVERSES, by=user, club=event.club)
    event.club.refresh_from_db()
    assert not event.club.has_congress_features
    assert Act.objects.filter(undoes=act).count() == 1


def test_new_club_starts_without_congress_features_and_the_demo_club_with() -> None:
    new_club, demo = (
        clubs.services.create_club(name=name, owner=None, by=None, is_demo=is_demo)
        for name, is_demo in (("New", False), ("Demo", True))
    )
    assert (new_club.has_congress_features, demo.has_congress_features) == (False, True)


@pytest.mark.parametrize(
    "use", [seat_without_features, seat_swiss, set_bracket, set_max_points]
)
@pytest.mark.parametrize("import_channel", ["page", "api"])
def test_imported_event_that_uses_a_feature_switches_all_on(
    use: Callable[[Event, User], None], import_channel: str
) -> None:
    event, user = create_event_of_level(False, use)
    document = json.dumps(export_event(event, should_include_deals=True))
    file = SimpleUploadedFile("event.json", document.encode())
    client = sign_in(user)
    if import_channel == "page":
        response = client.post("/director/events/import/", {"file": file})
    else:
        response = client.post(f"/api/clubs/{event.club.slug}/import/", {"file": file})
    assert response.status_code in (201, 302)
    assert Event.objects.count() == 2
    if import_channel == "page":
        page = read_page(client, response.headers["Location"])
        assert ("Congress features are now on" in page) == (use is not seat_without_features)
    club = Club.objects.get()
    assert club.has_congress_features == (use is not seat_without_features)
    acts = list(audit.list_acts(club).filter(action="club.congress"))
    assert [act.after for act in acts] == (
        [{"congress": True, "used_by": "Tuesday"}] if use is not seat_without_features else []
    )
    if acts:
        assert format_values(acts[0].after) == "on, used by Tuesday"
        undo_recorded_act(audit.list_acts(club), acts[0], CLUB_INVERSES, by=user, club=club)
        assert not Club.objects.get().has_congress_features


@pytest.mark.parametrize("use", [seat_without_features, set_finals])
def test_imported_club_with_an_event_that_uses_a_feature_gets_all_features(
    use: Callable[[Event, User], None], tmp_path: Path
) -> None:
    event, _user = create_event_of_level(False, use)
    export_club(event.club, tmp_path / "a.club", ARCHIVE_SPEC, passphrase="a b c")
    options = ImportOptions(passphrase="a b c", should_replace=True)
    club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, options).club
    assert club.has_congress_features == (use is not seat_without_features)
    assert Club.objects.get().has_congress_features == club.has_congress_features
    acts = audit.list_acts(club).filter(action="club.congress")
    assert [act.after["used_by"] for act in acts] == (
        ["Tuesday"] if use is not seat_without_features else []
    )


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
def test_api_is_the_same_on_both_levels(congress: bool) -> None:
    event, user = create_event_of_level(congress)
    client, path = sign_in(user), f"/api/events/{event.slug}"
    read_page(client, f"{path}/advice/")
    rule = {"finals": [{"name": "A", "size": 4}, {"name": "B", "size": None}], "by": "places"}
    for page, sent in (
        ("bracket", {"seeds": [1, 2, 3, 4]}),
        ("prizes", {"prizes": [{"name": "Cup"}]}),
        ("stage", rule),
    ):
        response = client.put(f"{path}/{page}/", sent, content_type="application/json")
        assert response.status_code == 200, response.content
        read_page(client, f"{path}/{page}/")
    club = Club.objects.get()
    assert club.has_congress_features == congress
    assert Event.objects.get().uses_congress_features
    memory_event_data = {
        "name": "Memory",
        "date": "2026-03-10",
        "contest": "memory",
        "club": club.slug,
    }
    response = client.post("/api/events/", memory_event_data, content_type="application/json")
    assert response.status_code == 201, response.content


def create_club_season(congress: bool) -> tuple[Season, User]:
    """Create a season with a usual ladder, and a player, in a club of a level."""
    club, user = evenings.create_club_with_director()
    PlayerFactory(club=club)
    season = SeasonFactory(club=club, slug="spring")
    best_rule = {"who": "players", "measure": "plus", "combine": "sum", "best": 5}
    LadderFactory(season=season, slug="best", rule=best_rule)
    LadderFactory(season=season, slug="own", rule=best_rule | {"across": True})
    Club.objects.update(has_congress_features=congress)
    season.club.refresh_from_db()
    return season, user


CLUB_PAGES: dict[str, tuple[str, ...]] = {
    "/director/players/": ("/director/players/grades/",),
    "/director/account/": ("/director/account/tokens/",),
    "/director/seasons/": ('value="drop"', "/seasons/spring/file/", 'name="file"'),
    "/director/seasons/spring/ladders/": ("?like=pairs", "?like=drop"),
    "/director/seasons/spring/new-ladder/": ('name="measure"', 'name="ties"'),
    "/director/seasons/spring/ladders/best/": ('name="measure"', 'name="drop_from"'),
    "/director/seasons/spring/handicap/": ('name="share"', 'name="newcomers"'),
    "/director/results-out/": ('value="everything"', 'name="in_full"', 'name="token"'),
    "/director/calendar/": ('action="/director/calendar/bookings/fetch/"',),
}
"""What each page of a club shows only with congress features."""


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("address", CLUB_PAGES)
def test_club_shows_the_features_of_its_level(address: str, congress: bool) -> None:
    _season, user = create_club_season(congress)
    page = read_page(sign_in(user), address)
    assert [feature_text in page for feature_text in CLUB_PAGES[address]] == [congress] * len(
        CLUB_PAGES[address]
    )
    assert (NOTICE_TEXT in page) == (not congress and address != "/director/calendar/")


def turn_on_grades(season: Season, user: User) -> str:
    GradeBookFactory(club=season.club, is_on=True)
    return "/director/players/"


def create_token(season: Season, user: User) -> str:
    ApiTokenFactory(user=user)
    return "/director/account/"


def create_ladder(season: Season, user: User) -> str:
    return "/director/seasons/spring/ladders/own/"


def set_handicap_terms(season: Season, user: User) -> str:
    set_season_handicap(season=season, terms={"share": "1/2"}, by=user)
    return "/director/seasons/spring/handicap/"


def set_up_upload(season: Season, user: User) -> str:
    DestinationFactory(club=season.club)
    return "/director/results-out/"


FEATURE_TEXT_BY_USE = {
    turn_on_grades: "/director/players/grades/",
    create_token: "/director/account/tokens/",
    create_ladder: 'name="across"',
    set_handicap_terms: 'name="share"',
    set_up_upload: 'name="token"',
}


@pytest.mark.parametrize("use", FEATURE_TEXT_BY_USE)
def test_features_a_club_uses_stay_shown_without_congress_features(
    use: Callable[[Season, User], str],
) -> None:
    season, user = create_club_season(congress=False)
    assert FEATURE_TEXT_BY_USE[use] in read_page(sign_in(user), use(season, user))


def test_short_form_of_a_ladder_keeps_the_rule_of_its_preset() -> None:
    season, user = create_club_season(congress=False)
    client, season_url = sign_in(user), "/director/seasons/spring"
    page = read_page(client, f"{season_url}/new-ladder/?like=places")
    assert ('name="points"' in page, 'name="best"' in page) == (True, False)
    form = {"name": "Places", "points": "3-2-1", "members_only": "on"}
    assert client.post(f"{season_url}/new-ladder/?like=places", form).status_code == 302
    ladder = season.ladders.get(name="Places")
    assert ladder.rule == {
        **{"who": "players", "measure": "place", "combine": "sum"},
        **{"points": ["3", "2", "1"], "members_only": True},
    }
    form = {"name": "Places", "points": "2-1"}
    assert client.post(f"{season_url}/ladders/{ladder.slug}/", form).status_code == 302
    ladder.refresh_from_db()
    assert (ladder.rule["points"], "members_only" in ladder.rule) == (["2", "1"], False)


def test_one_click_uses_the_usual_handicap() -> None:
    season, user = create_club_season(congress=False)
    client, handicap_url = sign_in(user), "/director/seasons/spring/handicap/"
    assert client.post(f"{handicap_url}act/", {"act": "settle"}).status_code == 302
    assert SeasonHandicap.objects.get(season=season).terms == serialize_terms(read_terms({}))
    page = read_page(client, handicap_url)
    assert ('name="share"' in page, 'value="end"' in page) == (False, True)


@pytest.mark.parametrize("congress", [True, False], ids=["on", "off"])
def test_machine_readable_files_are_offered_on_their_level(congress: bool) -> None:
    session, _user = evenings.play_session()
    Club.objects.update(has_congress_features=congress)
    event = Event.objects.get(pk=session.event_id)
    offer_results = [
        bool(exports.list_offered_formats(place, event)) for place in ("hands", "director")
    ]
    assert offer_results == [congress, congress]
    assert exports.list_offered_formats("machine", event)
