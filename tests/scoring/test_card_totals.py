"""The last row of a card adds up, also where not everybody played the same boards."""

from dataclasses import replace
from fractions import Fraction

import pytest
from django.template.loader import render_to_string

from scoring import standings
from scoring.sheets.ranks import rank_table
from scoring.sheets.room import room
from scoring.sheets.travellers import scorecard
from scoring.templatetags.scoring import measured_by
from tests import evenings

pytestmark = pytest.mark.django_db


def test_the_averages_of_a_card_are_what_its_entry_is_measured_by() -> None:
    session, _user = evenings.played()
    standings.recompute(session.event)
    found = room(session)
    for entry in session.event.entries.all():
        card = scorecard(found, entry, rank_table(session.event))
        assert card.rank is not None
        average = measured_by(card)
        assert average is not None
        assert card.rank.tricks - average == card.rank.score


def test_a_card_of_other_boards_does_not_show_the_field_s_average() -> None:
    session, _user = evenings.played()
    standings.recompute(session.event)
    card = scorecard(room(session), session.event.entries.all()[0], rank_table(session.event))
    assert card.field_average is not None
    other = replace(card, field_average=card.field_average - 7)
    words = {"card": other, "event": session.event, "club": session.event.club}
    shown = render_to_string("scoring/scorecard.html", words)
    assert "Average of these boards" in shown
    assert "Field&#x27;s average" not in shown
    assert "Field's average" not in shown
    assert measured_by(replace(card, lines=(), field_average=Fraction(9))) == 9
    assert measured_by(replace(card, rank=None)) is None
