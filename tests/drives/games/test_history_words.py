"""The history of a drive shows the words of the pages, and stores codes."""

import pytest
from django.test import Client
from django.utils import translation

from clubs import audit
from clubs.models import Act
from drives.games import GAMES_BY_CODE
from drives.kind import DRIVE_KIND
from drives.models import Drive, Seat
from drives.services import change_points, save_club_points_table, set_contract_words
from hall.history.sheets import list_club_changes
from tests.drives.games.test_hand_services import begin_drive, enter_hand
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db


def read_history(drive: Drive) -> list[str]:
    """Return the values after each act, newest first."""
    formatter = DRIVE_KIND.get_history_formatter(drive)
    return [
        line.new_values_text for line in formatter.build_lines(list(audit.list_acts(drive)))
    ]


def test_history_names_a_contract_and_its_players_as_they_are_known() -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=[1, 3], tricks=[0, 0])
    seats = Seat.objects.filter(round__drive=drive, round__number=1, table=1)
    name_by_seat = {seat.seat: seat.player.full_name for seat in seats}
    assert f"miserie by {name_by_seat[1]}, {name_by_seat[3]}" in read_history(drive)[0]
    set_contract_words(club=drive.club, words="title", by=None)
    assert "Misère by " in read_history(drive)[0]
    stored_contract = audit.list_acts(drive)[0].after["contract"]
    assert stored_contract["contract"] == "misere"


@pytest.mark.parametrize(
    ("seats", "words"), [([2], "miserie by seat 2"), ([1, 2], "miserie by seats 1, 2")]
)
def test_players_at_an_unknown_table_are_named_by_their_seats(
    seats: list[int], words: str
) -> None:
    drive = begin_drive()
    enter_hand(drive, 1, contract="misere", by=seats, tricks=[0] * len(seats))
    Act.objects.filter(pk=audit.list_acts(drive)[0].pk).update(where={"round": 9, "table": 9})
    assert words in read_history(drive)[0]


@pytest.mark.parametrize("author", ["table:2/A", "table:2/B", "table:2", "anna"])
@pytest.mark.parametrize("game", [*GAMES_BY_CODE, ""])
def test_sides_are_named_only_if_a_table_has_sides(author: str, game: str) -> None:
    score = {"kind": "player", "sum": 0, "game": game} if game else {"kind": "tricks"}
    drive = begin_drive(score=score)
    place = {"round": 1, "table": 2, "hand": 1}
    audit.record(None, "drive.sheet_agreed", subject=drive, where=place)
    act = audit.list_acts(drive)[0]
    Act.objects.filter(pk=act.pk).update(by=author)
    formatter = DRIVE_KIND.get_history_formatter(drive)
    line = formatter.build_lines(list(audit.list_acts(drive)))[0]
    if game:
        assert line.author_name == ("anna" if author == "anna" else "table 2")
        assert line.description == "Score confirmed at the table: round 1, table 2, hand 1"
    else:
        assert line.author_name == audit.describe_author(author)
        assert line.description.startswith("Score confirmed by the other side")


@pytest.mark.parametrize(
    ("trumps", "words"),
    [("turned", "omgedraaid"), ("declared", "bieder"), ("HCDS", "HCDS")],
)
def test_trumps_are_chosen_and_shown_in_the_language_of_the_reader(
    trumps: str, words: str
) -> None:
    drive = begin_drive()
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    rule = "cycle" if trumps == "HCDS" else trumps
    other_rule = "declared" if rule == "turned" else "turned"
    for trumps_rule, suits in ((other_rule, ""), (rule, trumps if rule == "cycle" else "")):
        client.post(
            f"/director/drives/{drive.slug}/terms/",
            {"trumps_rule": trumps_rule, "trumps": suits},
        )
    drive.refresh_from_db()
    assert drive.trumps == trumps
    with translation.override("nl"):
        assert words in read_history(drive)[0]
        client.cookies["language"] = "nl"
        page = client.get(f"/director/drives/{drive.slug}/").content.decode()
    assert f'<option value="{rule}" selected>' in page
    assert words in page
    assert "“turned”" not in page


def test_history_shows_the_type_and_the_date_in_the_language_of_the_reader() -> None:
    drive = begin_drive()
    with translation.override("nl"):
        assert read_history(drive)[-1].startswith("20 nov 2026, ")
    creation_text = read_history(drive)[-1]
    assert creation_text.startswith("20 Nov 2026, ")
    assert "lot" not in creation_text.split(", ")


HOUSE_RULES = {
    "contracts": {
        "misere": {"made": [10], "lost": [10]},
        "piccolo": {"played": True},
        "alone-5": {"lost_step": 3},
        "own-1": {
            "title": "Ten",
            "key": "tn",
            "side": "alone",
            "how": "least",
            "wants": 10,
            "made": [12],
            "lost": [8],
            "lost_step": 1,
        },
    },
    "passed": "adds",
    "times": [2],
    "revoke": {"tricks": 3},
    "fines": False,
}
EXPECTED_CHANGES_TEXT = (
    "alleen gaan: Lost 4 +2 → 4 +3; "
    "pico: Played no → yes; "
    "miserie: Made 7 → 10, Lost 7 → 10; "
    "Ten: added, 12 / 8 +1; "
    "Everyone passed: deal again, nothing doubled → next hand × 2, × 3 and so on; "
    "Doubling: no → × 2; "
    "Revoke: entered as a fine → contract lost, fewer tricks 3; Fines: yes → no"
)


def test_changed_points_are_shown_with_names_and_old_and_new_values() -> None:
    drive = begin_drive()
    change_points(drive=drive, custom=None, house=HOUSE_RULES, by=None)
    assert EXPECTED_CHANGES_TEXT in read_history(drive)[0]
    change_points(drive=drive, custom=None, house={}, by=None)
    latest_changes = read_history(drive)[0]
    assert "miserie: Made 10 → 7, Lost 10 → 7" in latest_changes
    assert "Ten: removed" in latest_changes


def test_saved_table_is_compared_with_the_table_that_it_replaces() -> None:
    club = begin_drive().club
    table = {"club": club, "game_code": "wiezen", "variant_code": None, "by": None}
    save_club_points_table(name="Thursday", club_changes=HOUSE_RULES, **table)
    assert list_club_changes(club)[0].after == EXPECTED_CHANGES_TEXT
    misere_changes = {
        "contracts": HOUSE_RULES["contracts"] | {"misere": {"made": [12], "lost": [10]}}
    }
    save_club_points_table(
        name="Friday",
        former_name="Thursday",
        club_changes=HOUSE_RULES | misere_changes,
        **table,
    )
    assert list_club_changes(club)[0].after == "miserie: Made 10 → 12"


def test_records_of_older_versions_are_shown_with_names() -> None:
    drive = begin_drive()
    change_points(drive=drive, custom=None, house=HOUSE_RULES, by=None)
    act = audit.list_acts(drive)[0]
    old_values = {"points": "misere.made, misere.lost, passed", "changed_hands": 0}
    Act.objects.filter(pk=act.pk).update(after=old_values)
    assert read_history(drive)[0].startswith("miserie: Made; miserie: Lost; Everyone passed")
    save_club_points_table(
        club=drive.club,
        name="Ours",
        game_code="wiezen",
        variant_code=None,
        club_changes=HOUSE_RULES,
        by=None,
    )
    act = audit.list_acts(drive.club)[0]
    Act.objects.filter(pk=act.pk).update(after={"points": "misere.made, passed"})
    assert list_club_changes(drive.club)[0].after.endswith(": Made; Everyone passed")
