"""A printed paper that shows names is out of date after a name changes."""

from collections.abc import Callable

import pytest

from boards.whist import WhistError
from clubs.models import Player
from printing.kinds import OutdatingChanges, PaperGroup
from scoring.papers import PAPER_KINDS
from scoring.papers.paper_files import draw_session_paper
from tests import evenings
from tests.scoring.papers import reading
from tournaments import services
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
VERSIONED_PAPER_GROUPS = {PaperGroup.RESULTS}  # they show their version


def play_pairs() -> Session:
    return evenings.play_session(movement="howell")[0]


def play_memory() -> Session:
    event, user = evenings.create_event(0, contest="memory")
    for names in (["Ada Pole", "John Trist"], ["Cassius Paine", "Rosa Gale"]):
        services.create_entry(event=event, names=names, by=user)
    services.seat_section(
        session=event.sessions.get(),
        movement=build_named_movement("memory", pairs=2),
        boards_a_round=1,
        by=user,
    )
    services.request_dealing(session=event.sessions.get(), by=user)
    return event.sessions.get()


def read_paper(session: Session, kind: str) -> str:
    try:
        return " ".join(reading.read_texts(draw_session_paper(session, kind, "A4")))
    except WhistError:
        return ""  # no data to print yet


@pytest.mark.parametrize("evening", [play_pairs, play_memory])
def test_paper_showing_a_name_becomes_out_of_date_after_a_rename(
    evening: Callable[[], Session], django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        session = evening()
    player = Player.objects.filter(club=session.event.club).earliest("pk")
    former_name = player.name
    services.rename_player(player=player, name="Quintilla Vavasour", by=None)
    session = Session.objects.get(pk=session.pk)
    kinds = [kind for kind in PAPER_KINDS if kind.is_offered(session.event)]
    kinds_showing_name = {
        kind.name for kind in kinds if "Vavasour" in read_paper(session, kind.name)
    }
    assert kinds_showing_name, former_name
    kinds_outdated_by_name = {
        kind.name for kind in kinds if OutdatingChanges.NAMES in kind.outdating_changes
    }
    versioned_kinds = {kind.name for kind in kinds if kind.group in VERSIONED_PAPER_GROUPS}
    assert kinds_showing_name <= kinds_outdated_by_name | versioned_kinds
