"""A new club is one command away."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from clubs.models import Club

pytestmark = pytest.mark.django_db


def run_club_command(*arguments: str, director: str = "ann") -> str:
    output = StringIO()
    call_command("club", *arguments, "--director", director, stdout=output)
    return output.getvalue()


def test_new_director_signs_in_with_printed_password_and_creates_an_event() -> None:
    password = run_club_command("Riverside  Whist Club").split()[-1]
    client = Client()
    assert client.login(username="ann", password=password)
    form = {
        "name": "First evening",
        "date": "2026-03-10",
        "contest": "pairs",
        "method": "plus_minus",
        "standings_shown": "always",
        "paper_size": "A4",
    }
    assert client.post("/director/events/new/", form).status_code == 302
    assert Club.objects.get().events.get().name == "First evening"
    assert Club.objects.get().name == "Riverside Whist Club"


def test_second_director_joins_the_club_and_passwords_stay_unchanged() -> None:
    run_club_command("Riverside")
    run_club_command("Riverside", director="bob")
    assert run_club_command("Riverside", director="bob") == "bob is a director of Riverside.\n"
    assert Club.objects.get().memberships.count() == 2


@pytest.mark.parametrize(
    ("texts", "director", "expected_hint"),
    [
        (["Riverside", "--timezone", "Nowhere/Land"], "ann", "Europe/London"),
        ([" "], "ann", "blank"),
        (["Riverside"], "no spaces here", "valid username"),
    ],
)
def test_invalid_arguments_show_an_error(
    texts: list[str], director: str, expected_hint: str
) -> None:
    with pytest.raises(CommandError, match=expected_hint):
        run_club_command(*texts, director=director)
    assert not Club.objects.exists()
