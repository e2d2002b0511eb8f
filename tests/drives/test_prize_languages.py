"""Reasons of awarded prizes are in the reader's language, not in that of the close."""

import pytest
from django.utils import translation

from clubs.activities.secrecy import format_full_name
from drives.models import Award, Drive
from drives.services import close_drive, set_prizes
from drives.sheets.standing import list_awards
from tests.drives.test_services import begin_drive, load_snapshot, play_rounds

pytestmark = pytest.mark.django_db


def close_drive_in_dutch() -> Drive:
    """Close a drive whose prizes have reasons with places, ties and lots."""
    drive = begin_drive(size=8, rounds=1)
    lines = [
        {"words": "Best", "measure": "total-high"},
        {"words": "Next", "measure": "total-high"},
        {"words": "Luck", "measure": "lucky-number", "ties": "lot"},
        {"words": "Least", "measure": "total-low", "ties": "lot"},
    ]
    set_prizes(drive=drive, lines=lines, by=None)
    play_rounds(drive, 1, first_side_tricks=13)
    with translation.override("nl"):
        return close_drive(drive=drive, by=None)


def read_reasons(drive: Drive, language: str) -> list[str]:
    with translation.override(language):
        return [line.reason for line in list_awards(load_snapshot(drive), format_full_name)]


def test_reasons_follow_the_language_of_the_reader() -> None:
    drive = close_drive_in_dutch()
    dutch_reasons, english_reasons = read_reasons(drive, "nl"), read_reasons(drive, "en")
    assert len(dutch_reasons) == len(english_reasons) >= 4
    assert english_reasons[0].startswith("place 1, 13 points")
    assert any("drawn from" in each for each in english_reasons)
    assert all(
        dutch_reason != english_reason
        for dutch_reason, english_reason in zip(dutch_reasons, english_reasons, strict=True)
    )


def test_reason_that_no_longer_fits_the_scores_stays_as_it_was_stored() -> None:
    drive = close_drive_in_dutch()
    award = Award.objects.get(prize__drive=drive, order=1)
    award.why = "plaats 1, 99 punten"
    award.save(update_fields=["why"])
    reasons = read_reasons(drive, "en")
    assert reasons[0] == "plaats 1, 99 punten"
    assert reasons[1].startswith("place 1")
    award.prize.awards.all().delete()
    stored_reasons = [row.why for row in Award.objects.filter(prize__drive=drive)]
    assert len(read_reasons(drive, "en")) == len(stored_reasons) < len(reasons)
