"""Rounds are drawn from the scores one after another; the schedule grows by each."""

from collections import Counter
from random import Random

import pytest

import scoring.services
from scoring.reckoning.scores import scored
from scoring.services.swiss import corrected_since, draw_of
from scoring.sheets.draws import drawn_rounds
from scoring.sittings import read_sittings
from tests import evenings
from tests.scoring.swiss import swiss_evenings
from tests.scoring.swiss.swiss_evenings import play_round, section_of
from tournaments.board_counts import number_of_boards
from tournaments.errors import NotNow
from tournaments.models import Session
from tournaments.movements.changes import Late, Left
from tournaments.swiss.rounds import drawn

pytestmark = pytest.mark.django_db


def draw(session: Session, round_: int, user, **options):
    return scoring.services.draw_round(
        section=section_of(session), round_=round_, by=user, **options
    )


def couples(session: Session, round_: int) -> list[frozenset[int]]:
    return [
        frozenset((table.ns.entries[0], table.ew.entries[0]))
        for table in read_sittings(session).tables
        if table.round == round_ and table.is_played
    ]


def test_a_round_is_drawn_once_kept_whole_and_taken_back() -> None:
    session, user = swiss_evenings.opened(7)
    assert number_of_boards(session) == 6  # the boards of all rounds, drawn or not
    with pytest.raises(NotNow, match="Results are missing at 3 tables"):
        draw(session, 2, user)
    with pytest.raises(NotNow, match="Round 2 is drawn first"):
        draw(session, 3, user, anyway=True)
    play_round(session, 1, user)
    made = draw(session, 2, user)
    assert draw(session, 2, user) == made  # another scorer at once: one draws, both see it
    kept = made.what["draw"]
    assert drawn(kept["input"]) == kept
    assert not set(couples(session, 1)) & set(couples(session, 2))
    first, second = (each.sit_out[0][0] for each in drawn_rounds(read_sittings(session))[::-1])
    assert first != second
    scoring.services.undo_change(change=made, by=user)
    assert section_of(session).rounds == 1
    assert session.changes.get().undone_at is not None  # it stays in the history
    again = draw(session, 2, user, seed="another")
    assert again.what["draw"]["sha256"] != kept["sha256"]
    play = next(t for t in read_sittings(session).tables if t.round == 2)
    evenings.enter(session, play.sitting, play.boards[0], "7", user)
    with pytest.raises(NotNow, match="has been scored since"):
        scoring.services.undo_change(change=again, by=user)
    assert "no. " in drawn_rounds(read_sittings(session))[0].matches[0].reason


def test_a_score_corrected_after_the_draw_moves_nothing_by_itself() -> None:
    session, user = swiss_evenings.opened(8)
    play_round(session, 1, user)
    made = draw(session, 2, user)
    assert corrected_since(made) is None
    table = read_sittings(session).tables[0]
    for board in table.boards:
        evenings.enter(session, table.sitting, board, "13", user)
    before = couples(session, 2)
    assert corrected_since(made) is not None
    kept = scoring.services.keep_draw(change=made, tell=True, by=user)
    assert couples(session, 2) == before
    assert corrected_since(kept) is None  # it asks no more
    assert drawn_rounds(read_sittings(session))[0].note
    for board in table.boards:
        evenings.enter(session, table.sitting, board, "0", user)
    wanted = corrected_since(kept)
    assert wanted is not None  # until they change again
    new = scoring.services.redraw(change=kept, by=user)
    assert new is not None
    assert new.what["draw"]["pairings"] == wanted["pairings"]
    play_round(session, 2, user)
    with pytest.raises(NotNow, match="has scores already"):
        scoring.services.redraw(change=new, by=user)


def test_who_comes_or_goes_is_minded_by_the_next_draw() -> None:
    session, user = swiss_evenings.opened(7, method="victory_points")
    play_round(session, 1, user)
    section = section_of(session)
    left = section.places.get(entry__number=2)
    for change, key, names in (
        (Late(), "swiss-in", ["Ada Late", "Ben Late"]),
        (Left(left.number), "swiss-out", []),
    ):
        scoring.services.change_session(
            section=section_of(session),
            played=1,
            change=change,
            key=key,
            what={"kind": "late" if names else "left", "names": names, "round": 2},
            names=names,
            by=user,
        )
    made = draw(session, 2, user)
    playing = {one for couple in couples(session, 2) for one in couple}
    assert 8 in playing | set(made.what["draw"]["sit_out"])
    assert 2 not in playing
    play_round(session, 2, user)
    found = scored(session.event)
    assert found.tally.missed[1][8] == 1 + (8 not in playing)
    assert sum(found.scores.values()) == 10 * (
        2 * (3 + 3) + sum(found.tally.missed[1].values())
    )


@pytest.mark.parametrize("contest", ["pairs", "teams"])
def test_random_evenings_keep_their_promises(contest: str) -> None:
    lots = Random(f"a seed for {contest}")
    session, user = swiss_evenings.opened(6, 4, contest=contest, arrears=contest == "teams")
    for number in range(2, 5):
        play_round(session, number - 1, user, lots=lots)
        made = draw(session, number, user)
        while lots.random() < 0.4:
            scoring.services.undo_change(change=made, by=user)
            made = draw(session, number, user)
        assert draw_of(section_of(session), number) == made
    play_round(session, 4, user, lots=lots)
    tables = read_sittings(session).tables
    each_round = 6 if contest == "teams" else 3
    assert Counter(table.round for table in tables) == dict.fromkeys(range(1, 5), each_round)
    met = [couple for number in range(1, 5) for couple in set(couples(session, number))]
    again = session.changes.filter(undone_at=None).values_list("what", flat=True)
    assert len(met) == 12
    assert len(met) - len(set(met)) == sum(what["draw"]["objective"][0] for what in again)
    found = scored(session.event)
    assert sum(found.scores.values()) == 0
    assert sum(found.corrected.values()) == 0
    with pytest.raises(NotNow, match="all of them are drawn"):
        draw(session, 5, user)
