"""What waits to be looked at in a room, each thing with what can be pressed for it."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from hall.phones.disputes import Disputed, disputed
from scoring.sheets.doubts import AskedResult, Doubts
from scoring.sheets.score_slips import slip_query
from scoring.sittings import SeatedSession
from tournaments.models import Session
from tournaments.visits import Visit


@dataclass(frozen=True, slots=True)
class Press:
    """One thing that can be pressed: a link, or a form with what it sends."""

    word: str
    url: str
    sends: tuple[tuple[str, str], ...] = ()  # empty for a link


@dataclass(frozen=True, slots=True)
class ResultToCheck:
    """A result to look at: where it is, what is odd about it, and what settles it."""

    where: str
    text: str
    presses: tuple[Press, ...]


def checks(visit: Visit, found: SeatedSession, asked: Doubts) -> tuple[ResultToCheck, ...]:
    """List what is to be looked at: where a table disagrees first, for people wait there."""
    is_open = found.session.state == Session.State.OPEN
    return (
        *(_dispute(visit, each) for each in (disputed(found, found.tables) if is_open else ())),
        *(
            ResultToCheck(each.where, each.text, answers(visit, each) if is_open else ())
            for each in asked.asked
        ),
    )


def answers(visit: Visit, asked: AskedResult) -> tuple[Press, ...]:
    """Return what settles a query: the other side's score, "it is right", or another score."""
    doubt = reverse("result_doubt", args=[visit.address])
    here: dict[str, object] = {"sitting": asked.sitting, "board": asked.board}
    stands = Press(
        _("%(tricks)s is right") % {"tricks": asked.typed}, doubt, sent(here | {"act": "keep"})
    )
    place = slip_query("board", f"doubt-{asked.sitting}-{asked.board}")
    correct = Press(_("Correct score"), reverse("scores", args=[visit.address]) + place)
    if not asked.swap:
        return (stands, correct)
    words = _("Make it %(tricks)s") % {"tricks": asked.swap}
    return (Press(words, doubt, sent(here | {"act": "swap"})), stands, correct)


def sent(fields: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """Write what a form on the page of the room sends; it leads back there."""
    known = {name: str(value) for name, value in fields.items()}
    return tuple((known | {"back": "room"}).items())


def _dispute(visit: Visit, found: Disputed) -> ResultToCheck:
    section, table = found.at
    said = [_("%(who)s typed %(made)s.") % {"who": who, "made": it} for who, it in found.said]
    address = reverse("room_table", args=[visit.address, table])
    doubt = reverse("result_doubt", args=[visit.address])
    here = {"sitting": found.sitting, "board": found.board, "seen": found.mark}
    choices = [
        Press(made, doubt, sent(here | {"act": "settle", "mark": mark}))
        for made, mark in found.choices
    ]
    return ResultToCheck(
        where=_("Board %(board)s, table %(table)s")
        % {"board": found.board, "table": found.table},
        text=" ".join((_("The two sides disagree."), *said)),
        presses=(*choices, Press(_("Open the table"), f"{address}?section={section}")),
    )
