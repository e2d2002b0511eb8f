"""The pages of finals, brackets, seeds, strata and prizes, as an organiser uses them."""

import re

import pytest
from django.test import Client

import scoring.services
from scoring.models import EventPrize, Final, Knockout, Stage
from scoring.tasks import recompute_standings
from tests import evenings
from tests.factories import GradeBookFactory, GradeFactory
from tests.scoring.stages.championship import RULE, play_qualifying
from tournaments.models import Event, Place

pytestmark = pytest.mark.django_db

RULE_FORM = {
    "act": "settle", "by": "places", "carry": "share", "share": "50", "cap": "",
    "name_1": "A final", "size_1": "4", "name_2": "B final", "size_2": "4",
    "name_3": "Consolation", "size_3": "",
}  # fmt: skip


def read_text(response) -> str:
    return response.content.decode()


def test_organiser_draws_finals_using_pages(client: Client) -> None:
    event, user = play_qualifying()
    client.force_login(user)
    page = f"/director/events/{event.slug}/stages/"
    assert "Save rule" in read_text(client.get(page))
    assert client.post(page, RULE_FORM | {"size_1": "x"}).status_code == 400
    assert client.post(page, RULE_FORM | {"share": "many"}).status_code == 400
    text = read_text(client.post(page, RULE_FORM | {"withdrawn": "3"}, follow=True))
    assert "50% of the qualifying plus/minus per board" in text
    assert "moved up" in text
    assert Stage.objects.get().rule["withdrawn"] == [3]
    text = read_text(client.post(page, {"act": "draw", "date": "2026-03-11"}, follow=True))
    assert "Each final is a separate event" in text
    final = Final.objects.first().event
    assert final.date.isoformat() == "2026-03-11"
    public = read_text(client.get(f"/events/{final.slug}/"))
    assert "A final: qualifiers from" in public
    assert f'href="/events/{final.slug}/"' in read_text(client.get(f"/events/{event.slug}/"))
    assert "Same boards in all finals" not in text  # none has boards yet
    client.post(page, {"act": "undraw"})
    assert not Final.objects.exists()
    client.post(page, {"act": "remove"})
    assert not Stage.objects.exists()


@pytest.mark.parametrize("typed_value", ["12.5", "12,5"])
def test_carry_over_share_accepts_decimal_point_or_comma(
    client: Client, typed_value: str
) -> None:
    event, user = play_qualifying()
    client.force_login(user)
    page = f"/director/events/{event.slug}/stages/"
    client.post(page, RULE_FORM | {"share": typed_value})
    assert Stage.objects.get().rule["share"] == "1/8"


@pytest.mark.parametrize(
    ("typed_value", "text"),
    [
        ("tomorrow", "“tomorrow” isn’t a date. Enter it as 2026-12-31."),
        ("2026-02-30", "“2026-02-30” isn’t a date."),
        ("9999-12-31", "Enter a date from 1800 to 2200."),
    ],
)
def test_finals_with_invalid_date_are_refused(
    client: Client, typed_value: str, text: str
) -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    client.force_login(user)
    page = f"/director/events/{event.slug}/stages/"
    response = client.post(page, {"act": "draw", "date": typed_value})
    assert response.status_code == 400
    assert text in read_text(response)
    assert not Final.objects.exists()


def test_all_finals_play_copies_of_same_boards(client: Client) -> None:
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    scoring.services.draw_finals(event=event, by=user)
    client.force_login(user)
    for final in Final.objects.all():
        evenings.tournaments.services.seat_section(
            session=final.event.sessions.get(),
            movement=evenings.build_named_movement("howell", pairs=4),
            boards_a_round=2,
            by=user,
        )
    first_session = Final.objects.first().event.sessions.get()
    evenings.tournaments.services.request_dealing(session=first_session, by=user)
    page = f"/director/events/{event.slug}/stages/"
    assert "Same boards in all finals" in read_text(client.get(page))
    client.post(page, {"act": "share"})
    board_set_ids = {final.event.sessions.get().board_set_id for final in Final.objects.all()}
    assert len(board_set_ids) == 1
    assert "Same boards in all finals" not in read_text(client.get(page))


@pytest.mark.slow
def test_bracket_is_created_and_played_using_pages(client: Client) -> None:
    event, user = evenings.create_event(5)
    client.force_login(user)
    page = f"/director/events/{event.slug}/bracket/"
    assert "Create the bracket" in read_text(client.get(page))
    client.post(page, {"act": "lay", "segments": "1"})
    seeds = Knockout.objects.get().seeds
    text = read_text(client.get(page))
    assert "has a bye" in text
    client.post(page, {"act": "matches", "round": "1", "margin-1-2": "0"})
    assert "Extra boards" in read_text(client.get(page))
    client.post(page, {"act": "matches", "round": "1", "margin-1-2": "0", "extra-1-2": "-2"})
    client.post(page, {"act": "matches", "round": "2", "winner-2-1": str(seeds[0])})
    client.post(page, {"act": "matches", "round": "2", "margin-2-2": "3"})
    client.post(page, {"act": "matches", "round": "3", "margin-3-1": "1"})
    public = f"/events/{event.slug}/bracket/"
    assert "Won by" in read_text(client.get(public))
    response = client.post(page, {"act": "matches", "round": "2", "winner-2-1": str(seeds[4])})
    assert response.status_code == 400
    assert "Keep the winner" in read_text(response)
    client.post(
        page,
        {"act": "matches", "round": "2", "winner-2-1": str(seeds[4]), "later-2-1": "take_back"},
    )
    assert "Won by" not in read_text(client.get(public))
    plate_response = client.post(
        page, {"act": "plate", "round": "2", "name": "Plate"}, follow=True
    )
    assert "Tuesday: Plate" in read_text(plate_response)
    plate_event = Event.objects.get(name="Tuesday: Plate")
    assert client.get(f"/events/{plate_event.slug}/bracket/").status_code == 200
    assert client.post(page, {"act": "remove"}).status_code == 400
    event_without_bracket = evenings.create_event(2, name="Wednesday")[0]
    assert client.get(f"/events/{event_without_bracket.slug}/bracket/").status_code == 404


def test_field_is_seeded_divided_and_awarded_prizes_using_pages(client: Client) -> None:
    session, user = evenings.play_session(6)
    event = session.event
    client.force_login(user)
    recompute_standings(event.pk)
    page = f"/director/events/{event.slug}/seeds/"
    assert "Seed by standings" in read_text(client.get(page))
    client.post(page, {"act": "ranking"})
    assert sorted(entry.profile.seed for entry in event.entries.all()) == [*range(1, 7)]
    strata = {"act": "strata", "rule": "mean", "name_1": "A", "least_1": "5", "name_2": "B"}
    client.post(page, strata)
    form = {"act": "profiles"}
    for number in range(1, 7):
        form |= {f"seed_{number}": "", f"ratings_{number}": "6 8" if number < 4 else "1"}
        form |= {f"tags_{number}": "Mixed, newcomers" if number > 4 else ""}
    client.post(page, form)
    assert client.post(page, form | {"seed_1": "one"}).status_code == 400
    text = read_text(client.get(page))
    assert "mixed, newcomers" in text
    prizes_url = f"/director/events/{event.slug}/prizes/"
    prizes = {"name_1": "Cup", "listed_1": "all", "place_1": "1", "value_1": "30"}
    prizes |= {"name_2": "B cup", "listed_2": "stratum:B", "place_2": "1", "value_2": "12.50"}
    prizes |= {"name_3": "Mixed rose", "listed_3": "tag:mixed", "place_3": "1", "value_3": ""}
    assert client.post(prizes_url, prizes | {"value_1": "much"}).status_code == 400
    text = read_text(client.post(prizes_url, prizes, follow=True))
    assert [event_prize.value for event_prize in EventPrize.objects.all()] == [3000, 1250, 0]
    assert "Total prize money: " in text
    public = f"/events/{event.slug}/prizes/"
    assert "once all sessions are closed" in read_text(client.get(public))
    scoring.services.close_session(session=session, by=user)
    recompute_standings(event.pk)
    text = read_text(client.get(public))
    assert "Stratum A" in text
    assert "place 1 (all)" in text
    assert "Mixed rose" in text


def test_page_seats_entries_by_seeds(client: Client) -> None:
    session, user = evenings.seat_session(6)
    event = session.event
    scoring.services.set_entry_profiles(
        event=event, profiles_by_number={n: {"seed": 7 - n} for n in range(1, 7)}, by=user
    )
    client.force_login(user)
    client.post(f"/director/events/{event.slug}/seeds/", {"act": "seat"})
    lines = Place.objects.filter(section__session=session)
    ns = sorted(place.entry.number for place in lines if place.field == "NS")
    assert ns == [2, 3, 6]  # the seeds 1, 4 and 5


def test_seeds_from_grades_show_no_grade_values(client: Client) -> None:
    event, user = evenings.create_event(3)
    client.force_login(user)
    page = f"/director/events/{event.slug}/seeds/grades/"
    assert "No grades are known for these players" in read_text(client.post(page, follow=True))
    book = GradeBookFactory(club=event.club)
    for strength, entry in enumerate(event.entries.all()):
        for player in entry.players.all() if entry.number < 3 else ():
            GradeFactory(book=book, player=player, mean=strength, shown=1.0, range=0.5)
    text = read_text(client.post(page, follow=True))
    assert "2 seeded by grade" in text
    assert [entry.profile.seed for entry in event.entries.all()[:2]] == [2, 1]


def test_one_save_stores_all_margins_of_round_and_keeps_them_in_form(
    client: Client,
) -> None:
    event, user = evenings.create_event(8)
    client.force_login(user)
    page = f"/director/events/{event.slug}/bracket/"
    client.post(page, {"act": "lay", "segments": "1"})
    text = read_text(client.get(page))
    assert text.count('name="act" value="matches"') == 1
    round_one_form = {"act": "matches", "round": "1", "margin-1-1": "5", "margin-1-3": "-2.5"}
    reported_text = read_text(client.post(page, round_one_form, follow=True))
    assert "Round 1: 2 matches saved." in reported_text
    boxes = dict(re.findall(r'name="margin-(1-\d)"[^>]*value="([^"]*)"', reported_text))
    assert boxes == {"1-1": "5", "1-2": "", "1-3": "-2.5", "1-4": ""}
    repeated_text = read_text(client.post(page, round_one_form, follow=True))
    assert "No changes." in repeated_text
    response = client.post(page, round_one_form | {"margin-1-2": "4", "margin-1-4": "many"})
    assert response.status_code == 400
    assert "Match 4:" in read_text(response)
    boxes = dict(re.findall(r'name="margin-(1-\d)"[^>]*value="([^"]*)"', read_text(response)))
    assert boxes == {"1-1": "5", "1-2": "4", "1-3": "-2.5", "1-4": "many"}
    assert set(Knockout.objects.get().matches) == {"1-1", "1-3"}  # all of them or none
    clearing_response = client.post(page, {"act": "matches", "round": "1", "margin-1-1": ""})
    assert clearing_response.status_code == 302
    assert set(Knockout.objects.get().matches) == {"1-3"}


def test_seeds_are_shown_only_if_set(client: Client) -> None:
    event, user = evenings.create_event(4)
    client.force_login(user)
    page = f"/director/events/{event.slug}/bracket/"
    assert "No seeds set: the order is drawn at random." in read_text(client.get(page))
    client.post(page, {"act": "lay", "segments": "1"})
    for bracket_url in (page, f"/events/{event.slug}/bracket/"):
        assert "bracket__seed" not in read_text(client.get(bracket_url))
    client.post(page, {"act": "remove"})
    client.post(f"/director/events/{event.slug}/seeds/", {"seed_3": "1"})
    client.post(page, {"act": "lay", "segments": "1"})
    assert Knockout.objects.get().seeds[0] == 3
    for bracket_url in (page, f"/events/{event.slug}/bracket/"):
        assert '<span class="bracket__seed">1</span>' in read_text(client.get(bracket_url))
