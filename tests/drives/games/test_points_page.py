"""On the page of a drive's points table cells are changed, checked, saved and undone."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from clubs.models import Membership
from drives.models import Drive, HouseTerms, Sheet
from drives.points_form import build_points_form
from drives.scores.terms import parse_points_table, parse_score_terms
from drives.services import close_drive, enter_sheet, save_club_points_table, undo_last_act
from tests.drives.games.test_hand_services import begin_drive
from tests.factories import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db

MISERE_10 = {"contracts": {"misere": {"made": [10], "lost": [10]}}}


class OrganiserBrowser:
    """A director's browser on the points page of a drive of wiezen."""

    def __init__(self, **terms: Any) -> None:
        self.drive = begin_drive(**terms)
        user = UserFactory()
        MembershipFactory(club=self.drive.club, user=user, role=Membership.Role.OWNER)
        self.client = Client()
        self.client.force_login(user)
        self.url = f"/director/drives/{self.drive.slug}/points/"

    def form(self, **changes: str) -> dict[str, str]:
        """Return the form as the page shows it, with changes; "" unticks a box."""
        self.drive.refresh_from_db()
        terms = parse_score_terms(self.drive.score)
        assert terms.game is not None
        values_by_name = {"custom": terms.custom or "", "act": "preview"}
        for row in build_points_form(terms.game, terms.custom, terms.house, "local").rows:
            code = row.contract.code
            values_by_name |= {f"{code}.lost": row.lost, f"{code}.made": row.made}
            values_by_name |= {f"{code}.wants": row.wants}
            values_by_name |= {f"{code}.played": "on"} if row.is_played else {}
        values_by_name |= {name.replace("__", "."): value for name, value in changes.items()}
        return {
            name: value for name, value in values_by_name.items() if value or name == "custom"
        }

    def send(self, form: dict[str, str]) -> tuple[int, str, Any]:
        response = self.client.post(self.url, form)
        preview = response.context and response.context.get("preview")
        return response.status_code, response.content.decode(), preview

    def save(self, preview: dict[str, Any]) -> int:
        form = {"act": "save", "custom": preview["custom"], "house": preview["house"]}
        return self.client.post(self.url, form).status_code


def read_first_score(drive: Drive) -> list[int]:
    return Sheet.objects.get(round__drive=drive, table=1, hand=1).score


def test_misere_costs_10_after_a_preview_and_7_after_undo() -> None:
    organiser = OrganiserBrowser()
    misere = {"contract": "misere", "by": [2], "made": [True]}
    enter_sheet(
        drive=organiser.drive, round_number=1, table=1, hand=1, contract=misere, by=None
    )
    page = organiser.client.get(organiser.url).content.decode()
    assert 'name="misere.made"' in page
    form = organiser.form(misere__made="10", misere__lost="10", piccolo__played="on")
    status, page, preview = organiser.send(form)
    assert (status, preview["hands"], preview["cells"]) == (200, "1 hand changes.", 3)
    assert "+21 → +30" in page
    assert read_first_score(organiser.drive) == [-7, 21, -7, -7]
    assert organiser.save(preview) == 302
    assert read_first_score(organiser.drive) == [-10, 30, -10, -10]
    organiser.drive.refresh_from_db()
    assert organiser.drive.score["house"] == {
        "contracts": {"misere": {"made": [10], "lost": [10]}, "piccolo": {"played": True}}
    }
    assert "changed" in organiser.client.get(organiser.url).content.decode()
    undo_last_act(drive=organiser.drive, by=None)
    assert read_first_score(organiser.drive) == [-7, 21, -7, -7]


def test_table_for_other_drives_has_the_points_of_the_form() -> None:
    """Unsaved changes of the form are saved with the table, and the drive keeps its points."""
    organiser = OrganiserBrowser()
    form = organiser.form(misere__made="10", misere__lost="10", act="keep", name="Thursday")
    status, _page, _preview = organiser.send(form)
    assert status == 302
    preset = HouseTerms.objects.get().presets["Thursday"]
    assert preset["house"] == {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    organiser.drive.refresh_from_db()
    assert "house" not in organiser.drive.score


def test_saved_table_can_be_used_in_the_same_drive() -> None:
    """After saving, the form seemed to have lost the changes."""
    organiser = OrganiserBrowser()
    form = organiser.form(misere__made="10", misere__lost="10", act="keep", name=" Thursday ")
    response = organiser.client.post(organiser.url, form, follow=True)
    page = response.content.decode()
    assert "Table saved for new drives." in page
    assert "Use it in this drive too" in page
    ready_form = {"act": "ready", "custom": response.context["offered_table"]}
    preview = organiser.send(ready_form)[2]
    assert organiser.save(preview) == 302
    organiser.drive.refresh_from_db()
    assert organiser.drive.score["house"] == MISERE_10
    page = organiser.client.get(organiser.url, {"saved": "Thursday"}).content.decode()
    assert "Use it in this drive too" not in page
    page = organiser.client.get(organiser.url, {"saved": "Friday"}).content.decode()
    assert "Use it in this drive too" not in page


def test_table_of_a_closed_drive_is_saved_as_it_was() -> None:
    organiser = OrganiserBrowser()
    close_drive(drive=organiser.drive, anyway=True, by=None)
    form = {"act": "keep", "name": "Thursday"}
    response = organiser.client.post(organiser.url, form, follow=True)
    assert "Use it in this drive too" not in response.content.decode()
    assert HouseTerms.objects.get().presets["Thursday"]["game"] == "wiezen"


def test_unchanged_form_changes_nothing() -> None:
    for game in ("colour-whist", "wiezen", "solo-whist", "danish-whist", "rikken"):
        organiser = OrganiserBrowser(score={"kind": "player", "sum": 0, "game": game})
        preview = organiser.send(organiser.form())[2]
        assert (preview["house"], preview["cells"]) == ("{}", 0)


def test_preset_table_replaces_the_changes_of_the_club() -> None:
    organiser = OrganiserBrowser()
    preview = organiser.send(organiser.form(misere__made="9"))[2]
    organiser.save(preview)
    preview = organiser.send({"act": "ready", "custom": "card-clubs"})[2]
    assert organiser.save(preview) == 302
    organiser.drive.refresh_from_db()
    assert organiser.drive.score["custom"] == "card-clubs"
    assert "house" not in organiser.drive.score


@pytest.mark.parametrize(
    ("cell", "typed_value"),
    [
        ("misere.made", "ten"),
        ("misere.made", "-1"),
        ("misere.made", "10001"),
        ("misere.lost", "1.5"),
        ("alone-5.wants", "14"),
        ("solo.made", "25 30"),
        ("misere.made", "9" * 40),
    ],
)
def test_invalid_cell_is_refused_and_stays_as_typed(cell: str, typed_value: str) -> None:
    organiser = OrganiserBrowser()
    form = organiser.form() | {cell: typed_value}
    status, page, preview = organiser.send(form)
    assert (status, preview) == (400, None)
    assert f'value="{typed_value}"' in page
    organiser.drive.refresh_from_db()
    assert organiser.drive.score == {"kind": "player", "sum": 0, "game": "wiezen"}


@pytest.mark.parametrize("house", ["[]", "{", '{"contracts": 5}', '{"bonus": 1}', "null"])
def test_malformed_change_is_refused(house: str) -> None:
    organiser = OrganiserBrowser()
    form = {"act": "save", "custom": "", "house": house}
    assert organiser.client.post(organiser.url, form).status_code == 400
    table = parse_points_table(Drive.objects.get(pk=organiser.drive.pk).score)
    assert table is not None


def test_only_directors_of_a_game_with_contracts_have_the_page() -> None:
    organiser = OrganiserBrowser()
    assert Client().get(organiser.url).status_code in (302, 403, 404)
    organiser_without_game = OrganiserBrowser(score={"kind": "player", "sum": 0})
    assert organiser_without_game.client.get(organiser_without_game.url).status_code == 404
    close_drive(drive=organiser.drive, anyway=True, by=None)
    form = {"act": "save", "custom": "", "house": '{"passed": "adds"}'}
    assert organiser.client.post(organiser.url, form).status_code == 400
    organiser.drive.refresh_from_db()
    assert "house" not in organiser.drive.score


def read_chosen_table(organiser: OrganiserBrowser) -> str:
    page = organiser.client.get(organiser.url).content.decode()
    table_select_html = page.partition('<select id="custom"')[2].partition("</select>")[0]
    return html.unescape(
        re.findall(r"<option[^>]* selected>([^<]+)<", f"{table_select_html}")[0]
    )


@pytest.mark.parametrize(
    ("score", "name"),
    [
        ({"custom": "card-clubs"}, "Lower points, as in card clubs"),
        ({"house": MISERE_10}, "Thursday"),
        ({"house": {"passed": "adds"}}, "This drive’s own points"),
    ],
)
def test_list_of_ready_tables_shows_the_one_that_the_drive_uses(
    score: dict[str, Any], name: str
) -> None:
    organiser = OrganiserBrowser(score={"kind": "player", "sum": 0, "game": "wiezen"} | score)
    save_club_points_table(
        club=organiser.drive.club,
        name="Thursday",
        game_code="wiezen",
        variant_code=None,
        club_changes=MISERE_10,
        by=None,
    )
    assert read_chosen_table(organiser) == name


def test_using_the_drives_own_points_again_changes_nothing() -> None:
    score = {"kind": "player", "sum": 0, "game": "wiezen", "house": MISERE_10}
    organiser = OrganiserBrowser(score=score)
    _status, _page, preview = organiser.send({"act": "ready", "custom": "present"})
    assert preview["cells"] == 0
    organiser.save(preview)
    organiser.drive.refresh_from_db()
    assert organiser.drive.score == score
