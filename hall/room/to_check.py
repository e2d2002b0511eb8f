"""The results to check in a session, each with its buttons."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from hall.phones.disputes import Disputed, disputed
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.doubts import QueriedResult, SessionQueries
from scoring.sheets.score_slips import format_slip_query
from tournaments.models import Session
from tournaments.visits import Visit


@dataclass(frozen=True, slots=True)
class Press:
    """A button: a link, or a form with its fields."""

    word: str
    url: str
    sends: tuple[tuple[str, str], ...] = ()  # empty for a link


@dataclass(frozen=True, slots=True)
class ResultToCheck:
    """A result to check: its table and board, the reason, and the buttons that settle it."""

    where: str
    text: str
    presses: tuple[Press, ...]


def checks(
    visit: Visit, found: SessionSnapshot, asked: SessionQueries
) -> tuple[ResultToCheck, ...]:
    """List the results to check, disputed ones first, because people wait there."""
    is_open = found.session.state == Session.State.OPEN
    return (
        *(_dispute(visit, each) for each in (disputed(found, found.tables) if is_open else ())),
        *(
            ResultToCheck(each.where, each.text, answers(visit, each) if is_open else ())
            for each in asked.asked
        ),
    )


def answers(visit: Visit, asked: QueriedResult) -> tuple[Press, ...]:
    """Return the buttons for a query: swap the sides, confirm, or enter another score."""
    doubt = reverse("result_doubt", args=[visit.address])
    here: dict[str, object] = {"sitting": asked.sitting, "board": asked.board}
    stands = Press(
        _("%(tricks)s is right") % {"tricks": asked.typed}, doubt, sent(here | {"act": "keep"})
    )
    place = format_slip_query("board", f"doubt-{asked.sitting}-{asked.board}")
    correct = Press(_("Correct score"), reverse("scores", args=[visit.address]) + place)
    if not asked.swap:
        return (stands, correct)
    words = _("Make it %(tricks)s") % {"tricks": asked.swap}
    return (Press(words, doubt, sent(here | {"act": "swap"})), stands, correct)


def sent(fields: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a form on Tonight, which redirects back to that page."""
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
