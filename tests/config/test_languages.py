"""Every page can be told in another language, whole: no word of ours stays behind."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from boards.whist import IllegalPlay, Play
from boards.whist.dealing import make_deal
from tests.browser.pages import evening, every_page
from tests.languages import marked_language, unmarked
from tests.marks import outside
from tournaments.models import AuditEntry, Club, Entry, Event, Player

pytestmark = pytest.mark.django_db

# What is nobody's language: keys, a command, a size of paper, the numbers of laws, cited books.
SAME_EVERYWHERE = {"Enter", "Esc", "Letter", "make run HOST=0.0.0.0"}
SAME_EVERYWHERE |= {"II", "III", "IV", "VI", "VII", "VIII", "IX", "XI"}
BOOKS = [
    f"The Standard Hoyle (1912), Whist by W. Pole, Example {n}." for n in ("III", "II", "I")
]


def _data() -> list[str]:
    """Names, and what the history keeps in the words of its day; the longest first."""
    found = {
        *Player.objects.values_list("name", flat=True),
        *Entry.objects.values_list("name", flat=True),
        *Event.objects.values_list("name", flat=True),
        *Club.objects.values_list("name", flat=True),
        *User.objects.values_list("username", flat=True),
        *BOOKS,
        "Overplay",
    }
    for field in ("subject", "before", "after"):
        found.update(AuditEntry.objects.values_list(field, flat=True))
    return sorted(found - {""}, key=len, reverse=True)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("directs", [False, True])
def test_no_page_keeps_a_word_of_ours_in_english(closed: bool, directs: bool) -> None:
    session, user = evening(closed=closed)
    client, visitor = Client(), user if directs else None
    if directs:
        client.force_login(user)
    addresses, data = every_page(session, visitor), _data()
    left: dict[str, str] = {}
    with marked_language():
        for address in addresses:
            page = client.get(address).content.decode()
            left |= dict.fromkeys(set(unmarked(page, data)) - SAME_EVERYWHERE, address)
    assert len(addresses) > 12
    assert left == {}


def test_the_pages_of_a_movement_and_of_the_assistant_speak_by_the_pure_packages() -> None:
    session, user = evening(closed=False)
    client = Client()
    client.force_login(user)
    event = session.event.slug
    asked = f"{reverse('assistant', args=[event])}?code=I26&board=1&table=A-1"
    with marked_language():
        movement = client.get("/movements/compass/?tables=7").content.decode()
        wrong = client.get("/movements/compass/?tables=8").content.decode()
        assistant = client.get(asked).content.decode()
        explained = client.get(f"/events/{event}/entries/1/explained/").content.decode()
    assert "«North-South pairs stay.» «East-West pairs move «one» table up.»" in movement
    assert "«Compass, 7 tables»" in movement
    assert "«Compass» cannot be made from «8 tables»: it needs «an odd number" in wrong
    assert "«How often did the side revoke in this deal?»" in assistant
    assert " tricks, where the average of " in explained


def test_after_another_language_everybody_reads_english_again() -> None:
    deal = make_deal(bytes(32), 1)
    with marked_language(), pytest.raises(IllegalPlay) as refused:
        Play(deal).record(next(iter(deal.hands[deal.dealer])))
    assert outside(str(refused.value)) == ""
    page = Client().get("/movements/compass/?tables=7").content.decode()
    assert "Compass, 7 tables" in page
    assert "«" not in page
