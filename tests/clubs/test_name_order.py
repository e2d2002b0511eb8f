"""Names are sorted as in the reader's language."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from clubs.models import Player
from clubs.name_order import sort_by_name
from tests import evenings

NAMES = [
    *("Aagaard", "Adams", "Ævar", "Åberg", "Muñoz", "Munz", "Nuyts", "Ñíguez"),
    *("Oldham", "Ørsted", "Öberg", "Smith", "Äberg", "Zander"),
]
SORTED_NAMES = {
    "en": [
        *("Aagaard", "Äberg", "Åberg", "Adams", "Ævar", "Muñoz", "Munz", "Ñíguez", "Nuyts"),
        *("Öberg", "Oldham", "Ørsted", "Smith", "Zander"),
    ],
    "es": [
        *("Aagaard", "Äberg", "Åberg", "Adams", "Ævar", "Munz", "Muñoz", "Nuyts", "Ñíguez"),
        *("Öberg", "Oldham", "Ørsted", "Smith", "Zander"),
    ],
    "da": [
        *("Adams", "Muñoz", "Munz", "Ñíguez", "Nuyts", "Oldham", "Smith", "Zander"),
        *("Äberg", "Ævar", "Öberg", "Ørsted", "Åberg", "Aagaard"),
    ],
    "sv": [
        *("Aagaard", "Adams", "Muñoz", "Munz", "Ñíguez", "Nuyts", "Oldham", "Smith", "Zander"),
        *("Åberg", "Äberg", "Ævar", "Öberg", "Ørsted"),
    ],
}
"""Written by hand after the rules of CLDR 44."""
SORTED_NAMES |= dict.fromkeys(("nl", "de", "fr"), SORTED_NAMES["en"])
SORTED_NAMES |= {"nb": SORTED_NAMES["da"]}


@pytest.mark.parametrize("language", SORTED_NAMES)
def test_names_are_sorted_by_the_letters_of_the_language(language: str) -> None:
    with translation.override(language):
        assert sort_by_name(sorted(NAMES), str) == SORTED_NAMES[language]


@pytest.mark.django_db
def test_danish_director_finds_ae_oe_and_aa_at_the_end_of_the_players() -> None:
    club, user = evenings.create_club_with_director()
    for name in ("Åse Holm", "Zoe Lund", "Ærø Dam", "Anna Bak"):
        Player.objects.create(club=club, name=name)
    club.language = "da"
    club.save()
    client = Client()
    client.force_login(user)
    with translation.override("en"):  # the request leaves its own language active
        page = client.get(reverse("players")).content.decode()
    places = [page.index(name) for name in ("Anna Bak", "Zoe Lund", "Ærø Dam", "Åse Holm")]
    assert places == sorted(places)
