"""Clubs copy, change, rename, use and undo their own points tables."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import audit
from clubs.models import Club
from clubs.undo import undo_recorded_act
from drives.errors import DriveActionNotAllowed, UnreadableDrive
from drives.games import GAMES_BY_CODE
from drives.models import Drive, HouseTerms, Sheet
from drives.points_form import build_points_form
from drives.services import (
    delete_club_points_table,
    enter_sheet,
    save_club_points_table,
    set_contract_words,
    set_house_terms,
)
from hall.history.inverses import CLUB_INVERSES
from tests import evenings
from tests.drives.games.test_hand_services import begin_drive, enter_hand

pytestmark = pytest.mark.django_db

MISERE_10 = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
THURSDAY_SCORE = {"kind": "player", "sum": 0, "game": "wiezen", "house": MISERE_10}
HTMX_HEADERS = {"HX-Request": "true"}


def save_table(club: Club, name: str = "Thursday", **changes: Any) -> HouseTerms:
    table_data = {
        "game_code": "wiezen",
        "variant_code": None,
        "club_changes": MISERE_10,
        "by": None,
    } | changes
    return save_club_points_table(club=club, name=name, **table_data)


def load_presets() -> dict[str, Any]:
    return HouseTerms.objects.get().presets


def undo(club: Club) -> None:
    acts = audit.list_acts(club)
    undo_recorded_act(acts, acts[0], CLUB_INVERSES, club=club, by=None)


class OrganiserBrowser:
    """A director's browser on the page of a points table."""

    def __init__(self, client: Client) -> None:
        self.club, user = evenings.create_club_with_director()
        self.client = client
        client.force_login(user)

    def form(self, game: str = "wiezen", **changes: str) -> dict[str, str]:
        """Return the form of a new table as the page shows it, with changes."""
        points = build_points_form(GAMES_BY_CODE[game], None, {}, "local")
        form_data = {"club": self.club.slug, "game": game, "custom": "", "act": "save"}
        form_data |= {
            "name": "Thursday",
            "former_name": "",
            "own.shown": "1",
            "terms.shown": "1",
        }
        for row in points.rows:
            code = row.contract.code
            form_data |= {f"{code}.lost": row.lost, f"{code}.made": row.made}
            form_data |= {f"{code}.wants": row.wants}
            form_data |= {f"{code}.played": "on"} if row.is_played else {}
        terms = points.terms
        form_data |= {"terms.fines": "on", "terms.times": terms.multiples_text}
        form_data |= {"terms.revoke_count": terms.revoke_count}
        choices_by_name = {
            "passed": terms.passed_deal_choices,
            "several": terms.several_bidders_choices,
            "revoke": terms.revoke_choices,
        }
        for name, choices in choices_by_name.items():
            form_data[f"terms.{name}"] = next(
                value for value, _label, is_on in choices if is_on
            )
        return form_data | {name.replace("__", "."): value for name, value in changes.items()}

    def post(self, form: dict[str, str]) -> tuple[int, str]:
        response = self.client.post(reverse("drive_house_table"), form)
        return response.status_code, response.content.decode()


@pytest.mark.parametrize("game", GAMES_BY_CODE)
def test_unchanged_copy_has_no_changes(client: Client, game: str) -> None:
    organiser = OrganiserBrowser(client)
    assert organiser.post(organiser.form(game))[0] == 302
    assert load_presets() == {"Thursday": {"kind": "player", "sum": 0, "game": game}}


def test_club_changes_misere_to_10_and_plays_by_it(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    page = client.get(reverse("drive_house_table"), {"game": "wiezen"}).content.decode()
    assert "Bea: miserie made, 7 from each of three, +21." in page
    form = organiser.form(misere__made="10", misere__lost="10")
    status, page = organiser.post(form | {"act": "preview"})
    assert (status, HouseTerms.objects.count()) == (200, 0)
    assert "Bea: miserie made, 10 from each of three, +30." in page
    assert organiser.post(form)[0] == 302
    assert load_presets() == {"Thursday": THURSDAY_SCORE}
    page = client.get(reverse("drive_house_tables")).content.decode()
    assert "Changed: miserie" in " ".join(page.split())
    drive_form = {"club": organiser.club.slug, "count": "12", "name": "Wiezen", "form": "lot"}
    drive_form |= {"date": "2026-11-20", "preset": "own:Thursday"}
    assert client.post(reverse("drive_new"), drive_form).status_code == 302
    drive = Drive.objects.get()
    assert drive.score == THURSDAY_SCORE
    assert (drive.rounds, drive.hands, drive.trumps) == (5, 8, "turned")
    assert drive.terms["meet"] == "table"
    misere = {"contract": "misere", "by": [2], "made": [True]}
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=misere, by=None)
    assert Sheet.objects.get(hand=1, table=1).score == [-10, 30, -10, -10]


def test_new_drive_has_the_form_of_the_game_of_its_table(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    save_table(organiser.club)
    response = client.get(reverse("drive_new"), {"preset": "own:Thursday"})
    assert response.context["form_input"].form == "lot"
    assert response.context["usual_rounds"] == 5
    assert 'value="own:Thursday" selected' in response.content.decode()


def test_played_drive_keeps_its_points_when_the_table_changes() -> None:
    drive = begin_drive(score=THURSDAY_SCORE)
    save_table(drive.club)
    enter_hand(drive, 1, contract="misere", by=[1], made=[False])
    save_table(
        drive.club,
        club_changes={"contracts": {"misere": {"lost": [15]}}},
        former_name="Thursday",
    )
    delete_club_points_table(club=drive.club, name="Thursday", by=None)
    drive.refresh_from_db()
    assert drive.score == THURSDAY_SCORE
    assert Sheet.objects.get(hand=1, table=1).score == [-30, 10, 10, 10]


def test_every_act_is_in_the_history_and_is_undone() -> None:
    club, _user = evenings.create_club_with_director()
    save_table(club)
    save_table(club, "Friday", former_name="Thursday", club_changes={"passed": "adds"})
    assert list(load_presets()) == ["Friday"]
    delete_club_points_table(club=club, name="Friday", by=None)
    assert load_presets() == {}
    codes = [act.action for act in audit.list_acts(club)[:3]]
    assert codes == ["drive.house_table_deleted", "drive.house_table", "drive.house_table"]
    undo(club)
    assert list(load_presets()) == ["Friday"]
    acts = audit.list_acts(club)
    undo_recorded_act(acts, acts[2], CLUB_INVERSES, club=club, by=None)
    assert load_presets() == {"Thursday": THURSDAY_SCORE}


def test_change_of_contract_names_is_undone() -> None:
    club, _user = evenings.create_club_with_director()
    set_contract_words(club=club, words="title", by=None)
    set_contract_words(club=club, words="title", by=None)
    assert HouseTerms.objects.get().contract_words == "title"
    undo(club)
    assert HouseTerms.objects.get().contract_words == "local"
    assert audit.list_acts(club).filter(action="drive.contract_words").count() == 2
    with pytest.raises(DriveActionNotAllowed):
        set_contract_words(club=club, words="latin", by=None)


def test_double_click_saves_once() -> None:
    club, _user = evenings.create_club_with_director()
    for _click in range(2):
        save_table(club)
    for _click in range(2):
        save_table(club, "Friday", former_name="Thursday")
    assert audit.list_acts(club).filter(action="drive.house_table").count() == 2
    assert list(load_presets()) == ["Friday"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\nb\0", "\u202e"])
def test_bad_name_is_refused(name: str) -> None:
    club, _user = evenings.create_club_with_director()
    with pytest.raises(DriveActionNotAllowed):
        save_table(club, name)
    assert not HouseTerms.objects.exists()


def test_used_name_and_a_missing_table_are_refused() -> None:
    club, _user = evenings.create_club_with_director()
    set_house_terms(club=club, terms={}, presets={"Ours": {"kind": "tricks"}}, by=None)
    for name, former in (("Ours", ""), ("OURS", ""), ("Thursday", "Friday")):
        with pytest.raises(DriveActionNotAllowed):
            save_table(club, name, former_name=former)
    assert list(load_presets()) == ["Ours"]


def test_invalid_house_table_is_refused() -> None:
    club, _user = evenings.create_club_with_director()
    for changes in (
        {"game_code": "bridge"},
        {"variant_code": "none"},
        {"club_changes": {"bonus": 1}},
    ):
        with pytest.raises(UnreadableDrive):
            save_table(club, **changes)
    assert not HouseTerms.objects.exists()


@pytest.mark.parametrize(
    ("cell", "typed", "message"),
    [
        ("misere.made", "ten", "miserie: enter whole numbers, e.g. 8 11 14 +3."),
        ("misere.made", "10001", "miserie: Made: 10001 isn’t a whole number from 0 to"),
        ("misere.lost", "", "miserie: Lost: Enter at least one number."),
        (
            "solo.made",
            "25 30",
            "solo: Made: There are 2 values, but this contract takes at most 1.",
        ),
        ("alone-5.wants", "14", "alleen gaan: Tricks: "),
        ("terms.passed", "never", "Everyone passed: "),
        ("terms.times", "two", "Doubling: enter whole numbers"),
        ("terms.times", "99", "Doubling: "),
        ("custom", "sporza", "isn’t known. Choose from card-clubs"),
        ("name", "", "Enter a name for the table"),
    ],
)
def test_invalid_value_shows_its_error_and_stays_as_typed(
    client: Client, cell: str, typed: str, message: str
) -> None:
    organiser = OrganiserBrowser(client)
    status, page = organiser.post(organiser.form() | {cell: typed})
    assert status == 400
    assert message in page
    if "." in cell and typed and not cell.endswith("passed"):
        assert f'value="{typed}"' in page
    assert not HouseTerms.objects.exists()


def test_own_contract_of_a_club_is_added_and_removed(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    own_contract = {
        "title": "Small slam",
        "key": "ks",
        "side": "alone",
        "how": "least",
        "wants": "12",
    }
    own_contract |= {"made": "20 25", "lost": "20 +5", "played": "on"}
    form = organiser.form() | {f"own-1.{name}": value for name, value in own_contract.items()}
    assert organiser.post(form)[0] == 302
    contract = load_presets()["Thursday"]["house"]["contracts"]["own-1"]
    assert contract == {
        "title": "Small slam",
        "key": "ks",
        "side": "alone",
        "how": "least",
        "wants": 12,
        "made": [20, 25],
        "lost": [20],
        "lost_step": 5,
    }
    page = client.get(reverse("drive_house_table"), {"table": "Thursday"}).content.decode()
    assert "Small slam, made with 13 tricks, 25 from each of three, +75." in page
    status, page = organiser.post(form | {"own-1.key": "t8", "former_name": "Thursday"})
    assert (status, "Small slam: Key: another contract has this key." in page) == (400, True)
    changed_form = form | {"former_name": "Thursday", "reset": "own-1"}
    del changed_form["act"]
    assert "Small slam, made" not in organiser.post(changed_form)[1]
    assert organiser.post(changed_form | {"act": "save"})[0] == 302
    assert "house" not in load_presets()["Thursday"]


def test_one_or_all_changed_contracts_are_reset(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    form = organiser.form(misere__made="10", solo__lost="30", terms__passed="adds")
    form |= {"act": "save", "reset": "misere"}
    assert organiser.post(form)[0] == 302
    assert load_presets()["Thursday"]["house"] == {
        "contracts": {"solo": {"lost": [30]}},
        "passed": "adds",
    }
    form |= {"former_name": "Thursday", "reset": "all"}
    assert organiser.post(form)[0] == 302
    assert "house" not in load_presets()["Thursday"]


def test_terms_are_stored_as_changes_and_explained(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    terms = {"terms.passed": "adds", "terms.revoke": "tricks", "terms.revoke_count": "3"}
    status, page = organiser.post(organiser.form() | terms | {"act": "preview"})
    assert status == 200
    assert "After two passed deals it counts × 3, and so on." in page
    assert "Tricks lost for each revoke: 3." in page
    assert "After 2 passed deals: points × 3." in page
    organiser.post(organiser.form() | terms)
    assert load_presets()["Thursday"]["house"] == {"passed": "adds", "revoke": {"tricks": 3}}


def test_examples_change_while_cells_are_typed(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    url, form = reverse("drive_house_examples"), organiser.form(misere__made="12")
    html = client.post(url, form, headers=HTMX_HEADERS).content.decode()
    assert "miserie made, 12 from each of three, +36." in html
    html = client.post(url, form | {"misere.made": "x"}, headers=HTMX_HEADERS).content.decode()
    assert "miserie: enter whole numbers" in html
    assert not HouseTerms.objects.exists()
    assert client.post(url, form).status_code == 302


def test_pages_are_only_for_the_directors_of_the_club(client: Client) -> None:
    club, _user = evenings.create_club_with_director()
    save_table(club)
    names = ("drive_house_tables", "drive_house_table", "drive_house_print")
    for name in names:
        assert client.get(reverse(name), {"table": "Thursday"}).status_code == 302
    stranger = Client()
    stranger.force_login(evenings.create_club_with_director("Other Club", "other")[1])
    query = {"club": club.slug, "table": "Thursday"}
    for name in names:
        assert stranger.get(reverse(name), query).status_code == 404
    form = {"club": club.slug, "name": "Thursday", "words": "title"}
    for name in ("drive_house_delete", "drive_house_words", "drive_house_table"):
        assert stranger.post(reverse(name), form).status_code == 404
    assert load_presets() == {"Thursday": THURSDAY_SCORE}


def test_missing_tables_and_games_are_not_found(client: Client) -> None:
    OrganiserBrowser(client)
    for query in ({}, {"game": "bridge"}, {"table": "none"}):
        assert client.get(reverse("drive_house_table"), query).status_code == 404
    assert client.post(reverse("drive_house_delete"), {"name": "none"}).status_code == 404


def test_points_table_is_printed_as_a_poster(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    save_table(organiser.club)
    response = client.get(reverse("drive_house_print"), {"table": "Thursday"})
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    assert response.content.startswith(b"%PDF")


def test_an_invalid_cell_is_named_in_the_club_s_words(client: Client) -> None:
    organiser = OrganiserBrowser(client)
    for words, name in (("title", "Misère"), ("local", "miserie")):
        set_contract_words(club=organiser.club, words=words, by=None)
        for cell in ("x", "10001"):
            status, page = organiser.post(organiser.form(misere__made=cell))
            assert status == 400
            assert f"{name}: " in page
