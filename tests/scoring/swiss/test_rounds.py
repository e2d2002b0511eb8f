"""Rounds are drawn from the scores one after another; the schedule grows by each."""

import scoring.services
from scoring.sittings import read_sittings
from tests.scoring.swiss import swiss_evenings


def test_a_drawn_round_is_seated_and_nobody_meets_twice(db):
    session, user = swiss_evenings.opened()
    for number in (2, 3):
        swiss_evenings.play_round(session, number - 1, user)
        made = scoring.services.draw_round(
            section=swiss_evenings.section_of(session), round_=number, by=user
        )
        assert made.what["draw"]["objective"][0] == 0
    tables = read_sittings(session).tables
    assert [t.round for t in tables] == [1] * 4 + [2] * 4 + [3] * 4
    met = [frozenset((t.ns.entries[0], t.ew.entries[0])) for t in tables]
    assert len(set(met)) == 12


def test_pages(db, client):
    session, user = swiss_evenings.opened(7)
    client.force_login(user)
    slug = session.event.slug
    for path in ("movement/swiss/", "rounds/", "change/", "room/", "scores/", "papers/", "seats/", "movement/"):
        answer = client.get(f"/director/events/{slug}/{path}")
        assert answer.status_code == 200, path
    assert client.get(f"/events/{slug}/pairings/").status_code == 200
    swiss_evenings.play_round(session, 1, user)
    answer = client.get(f"/director/events/{slug}/room/")
    assert "Draw round 2" in answer.content.decode()
    answer = client.post(f"/director/events/{slug}/rounds/", {"act": "draw", "round": "2"}, follow=True)
    assert "Round 2 is drawn" in answer.content.decode()
    answer = client.post(f"/director/events/{slug}/rounds/", {"act": "undo"}, follow=True)
    assert "taken back" in answer.content.decode()
