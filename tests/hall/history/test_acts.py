"""The history speaks in words of the table and shows no code."""

import re
from datetime import date
from pathlib import Path

import pytest

import scoring.services
import tournaments.services
from hall.history.sheets import changes
from tests import evenings
from tournaments.models import Event

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
OF_THE_CLUB = ("club.created", "player.added", "player.removed")
"""Acts that stand in no event's history."""


def _told(event: Event) -> list[tuple[str, str, str]]:
    return [(change.text, change.before, change.after) for change in changes(event)]


def test_a_changed_event_is_told_without_a_code() -> None:
    event, user = evenings.event(pairs=4)
    scoring.services.edit_event(
        event=event,
        name=event.name,
        date=date(2026, 3, 11),
        method="matchpoints",
        standings_shown="after",
        paper_size="A4",
        by=user,
    )
    assert (
        "Event changed: date, scoring, players see the standings",
        "2026-03-10, plus and minus, always, while the scores come in",
        "2026-03-11, matchpoints, after the session",
    ) in _told(event)


def test_a_name_with_a_comma_is_told_as_it_was_written() -> None:
    event, user = evenings.event(pairs=4)
    scoring.services.edit_event(
        event=event,
        name="Club night, late",
        date=event.date,
        method="tricks",
        standings_shown="always",
        paper_size="A4",
        by=user,
    )
    assert any("Club night, late" in after for _, _, after in _told(event))


def test_what_everybody_sees_is_told_in_words() -> None:
    event, user = evenings.event(pairs=4)
    tournaments.services.show_standings(event=event, shown="never", by=user)
    player = event.entries.get(number=1).players.all()[0]
    tournaments.services.show_player(player=player, shown="initials", by=user)
    told = _told(event)
    assert ("Players see the standings", "always, while the scores come in", "never") in told
    words = f"What everybody sees of a player: {player.name}"
    assert (words, "the name", "initials only") in told


def test_an_individual_s_history_says_player_and_not_pair() -> None:
    event, user = evenings.event(pairs=0, contest="individual")
    tournaments.services.enter(event=event, names=["Ada Pole"], by=user)
    texts = [text for text, _, _ in _told(event)]
    assert "Player entered: 1" in texts


def test_every_act_that_is_written_down_has_words() -> None:
    written = set()
    for file in [*ROOT.glob("tournaments/services/*.py"), *ROOT.glob("scoring/services/*.py")]:
        acts = re.findall(
            r'(?:by,\s+|action=|_audit\([^"]*)"([a-z_]+\.[a-z_]+)"', file.read_text()
        )
        written.update(acts)
    known = (ROOT / "hall/history/act_words.py").read_text()
    assert len(written) > 20
    assert {
        act
        for act in written
        if f'"{act}"' not in known and act not in OF_THE_CLUB and not act.startswith("member.")
    } == set()
