"""A rehearsal of a drive uses the services, counts nowhere and leaves no trace."""

from typing import Any

import pytest
from django.test import Client

from clubs.errors import ActionUnavailable
from clubs.models import DirectorCall, Evening
from drives.draw.random_stream import RandomStream
from drives.ledger import count_rests_earlier_in_year
from drives.models import Award, Drive, DrivePlayer, Sheet
from drives.scores.presets import PRESETS
from drives.scores.random_scores import simulate_scores
from drives.scores.rules import ScoreKind, Scoring
from drives.services import NewPlayer, begin_next_round, close_drive, create_drive, set_prizes
from drives.services.rehearsal import (
    create_rehearsal,
    delete_rehearsal,
    enter_due_hands,
    finish_round,
    play_remaining_rounds,
)
from drives.snapshot import load_drive_snapshot
from tests.browser.drives import DRIVE_DATE, create_drive_with_prizes, create_organiser

TERMS = [preset.scoring for preset in PRESETS.values()] + [
    Scoring(kind=ScoreKind.BY_CARDS, hands_per_round=3, min_score=0, max_score=7),
    Scoring(kind=ScoreKind.SIDE, total=0, step=5),
    Scoring(kind=ScoreKind.PLAYER, min_score=-10, max_score=10),
    Scoring(kind=ScoreKind.SIDE, min_score=3, max_score=3),
]


@pytest.mark.parametrize("terms", TERMS)
def test_simulated_scores_fit_the_terms(terms: Scoring) -> None:
    for seed in range(40):
        score, extras = simulate_scores(terms, RandomStream(bytes([seed]), "made up"))
        assert terms.find_score_error(score, extras) == ""


@pytest.mark.django_db
def test_desk_simulates_results_until_the_round_waits_for_its_call() -> None:
    drive, user, _link = create_drive_with_prizes()
    client = Client()
    client.force_login(user)
    drive_url = f"/director/drives/{drive.slug}/"
    assert "Rehearse on a copy" in client.get(drive_url).content.decode()
    location = client.post(f"{drive_url}rehearse/").headers["Location"]
    assert (
        client.post(f"{drive_url}rehearse/").headers["Location"] == location
    )  # a double click
    copy = Drive.objects.get(is_rehearsal=True)
    names = [list(item.players.values_list("number", "name")) for item in (drive, copy)]
    assert names[0] == names[1]
    assert "Nothing counts" in client.get(location).content.decode()
    tick_options: dict[str, Any] = {"headers": {"HX-Request": "true"}}
    for _time in range(9):
        response = client.post(f"{location}rehearsal/tick/", **tick_options)
        assert response.status_code == 200
    loaded_drive = load_drive_snapshot(Drive.objects.get(pk=copy.pk))
    assert loaded_drive.current_round is not None
    assert all(
        loaded_drive.current_round.compute_table_score(table)[0]
        for table in loaded_drive.current_round.seats_by_table
    )
    assert loaded_drive.current_round.number == 1  # the rehearsal waits for the organiser
    assert DirectorCall.objects.filter(evening=copy.evening).count() == 1
    client.post(f"{location}rehearsal/act/", {"act": "evening"})
    close_drive(drive=copy, by=user)
    assert Award.objects.filter(prize__drive=copy).exists()
    assert location not in client.get("/drives/").content.decode()
    assert copy.slug in client.get("/director/").content.decode()
    with pytest.raises(ActionUnavailable):
        enter_due_hands(drive=drive)
    with pytest.raises(ActionUnavailable):
        delete_rehearsal(drive=drive, by=user)
    client.post(f"{location}rehearsal/act/", {"act": "away"})
    assert list(Drive.objects.all()) == [drive]
    assert DrivePlayer.objects.exclude(drive=drive).count() == 0
    assert list(Evening.objects.all()) == [drive.evening]
    assert create_rehearsal(drive=drive, by=user).is_rehearsal


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["cut", "lot", "progressive", "social"])
def test_every_form_rehearses_to_its_end_automatically(form: str) -> None:
    user = create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday",
        date=DRIVE_DATE,
        form=form,
        players=[NewPlayer()] * 12,
        rounds=3,
        hands=2,
        terms={"ties": "cut"} if form == "progressive" else {},
        by=user,
    )
    set_prizes(drive=drive, lines=[{"words": "Highest", "measure": "total-high"}], by=user)
    copy = create_rehearsal(drive=drive, by=user)
    sheet_count_before = Sheet.objects.count()
    finish_round(drive=copy)
    assert Sheet.objects.count() == sheet_count_before + 3
    copy = play_remaining_rounds(drive=copy, by=user)
    loaded_drive = load_drive_snapshot(copy)
    assert loaded_drive.current_round is not None
    assert copy.at_round == 3
    assert loaded_drive.scores.check_totals(loaded_drive.table_count).difference == 0
    assert not Sheet.objects.filter(round__drive=drive).exists()
    assert count_rests_earlier_in_year(drive) == count_rests_earlier_in_year(copy)
    with pytest.raises(Exception, match=r"All 3 rounds|the cut is over"):
        begin_next_round(drive=copy, by=user)
