"""One suggestion in plain words, the same on the page, in the command and in the API."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.advice import reasons
from tournaments.movements.advice.suggestion import Suggestion, as_row
from tournaments.movements.advice.turnout import MINUTES_A_BOARD
from tournaments.movements.balance import opponents_met
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.words import about_hours, ranged, ranged_figures

OTHERS = 3
"""The maximum number of alternatives shown beside the first suggestion."""
SOONER = 20
"""The least difference in minutes that is mentioned: a coffee, or the last bus."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The description of a suggestion, one sentence a field; "" where nothing applies."""

    title: str  # the whist name: "Compass, 7 tables"
    bridge: str  # "Bridge players call it a Mitchell."
    hours: str  # "About 3½ hours"
    length: str  # "7 rounds of 4 boards, 28 minutes each"
    moves: str  # the moves of players and boards
    meets: str  # the opponents met and missed
    boards: str  # the number needed, and how they are played
    idle: str  # who sits out
    drawback: str


def answer(found: Suggestion) -> Answer:
    """Describe a suggestion in plain words."""
    return Answer(
        title=_title(found),
        bridge=_bridge(found),
        hours=capitalised(about_hours(found.minutes)),
        length=_length(found),
        moves=found.announcement,
        meets=_meets(found),
        boards=_boards(found),
        idle=capitalised(_idle(found)),
        drawback=reasons.reason_against(found),
    )


def suggestion_row(found: Suggestion) -> dict[str, Any]:
    """Return a suggestion as plain data with its plain words, for the API."""
    return as_row(found) | {"plain": asdict(answer(found))}


def capitalised(words: str) -> str:
    """Return words with a capital first letter and the rest unchanged."""
    return words[:1].upper() + words[1:]


def _title(found: Suggestion) -> str:
    """Return whist's own name for the movement if it has one, else the movement's title."""
    system = CATALOGUE.get(found.name)
    if found.divided or system is None or not system.ours:
        return found.title
    words = ngettext("%(movement)s, %(tables)s table", "%(movement)s, %(tables)s tables", 2)
    told = words % {"movement": system.ours, "tables": found.movement.tables}
    if found.movement.two_fields and found.winners == 1:
        return _("%(movement)s, one winner") % {"movement": told}
    return told


def _bridge(found: Suggestion) -> str:
    system = CATALOGUE.get(found.name)
    if found.divided or system is None or not system.bridge:
        return ""
    return _("Bridge players call it a %(name)s.") % {"name": system.bridge}


def _length(found: Suggestion) -> str:
    boards = ngettext(
        "%(rounds)s rounds of %(boards)s board, %(minutes)s minutes each",
        "%(rounds)s rounds of %(boards)s boards, %(minutes)s minutes each",
        found.boards_a_round,
    )
    return boards % {
        "rounds": found.rounds,
        "boards": found.boards_a_round,
        "minutes": found.boards_a_round * MINUTES_A_BOARD,
    }


def _meets(found: Suggestion) -> str:
    """Describe how many opponents each one meets, within a section if there are several."""
    if found.met == found.possible:
        return _complete(found)
    words = {
        Contest.TEAMS: _("Each team meets %(met)s of %(all)s."),
        Contest.INDIVIDUAL: _("Each player meets %(met)s of %(all)s."),
    }.get(found.movement.contest, _("Each pair meets %(met)s of %(all)s."))
    met, others = opponents_met(found.movement, found.balance)
    return words % {"met": ranged_figures(met.least, met.most), "all": others}


def _complete(found: Suggestion) -> str:
    if found.divided:
        return _("Everybody meets everybody in the section who can be met.")
    if found.movement.two_fields and found.movement.contest is Contest.PAIRS:
        return _("Everybody on one side meets everybody on the other, once.")
    return _("Everybody meets everybody.")


def _boards(found: Suggestion) -> str:
    least, most = found.plays.least, found.plays.most
    figures = {"boards": found.boards, "plays": ranged_figures(least, most)}
    if found.copies > 1:
        words = _("%(boards)s boards in %(copies)s copies; everybody plays %(plays)s")
        return words % {**figures, "copies": found.copies}
    if least == most == found.boards:
        return _("%(boards)s boards, all played by everybody") % figures
    times = _times_played(found)
    if times:
        words = _(
            "%(boards)s boards; everybody plays %(plays)s; a board is played at %(times)s of "
            "%(tables)s tables"
        )
        return words % {**figures, "times": times, "tables": found.movement.tables}
    return _("%(boards)s boards; everybody plays %(plays)s") % figures


def _times_played(found: Suggestion) -> str:
    """Describe at how many tables a board is played on average; "" if at nearly all."""
    if found.divided:
        return ""
    own = found.proposal.shapes[0].figures
    if own.engaged * 10 >= own.groups * own.tables * 9:
        return ""
    tenths = (10 * own.engaged + own.groups // 2) // own.groups
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else str(tenths // 10)


def _idle(found: Suggestion) -> str:
    most = found.sit_outs.most
    if not most:
        return _("Nobody sits out")
    if found.movement.two_fields and found.movement.absent:
        return found.movement.vacancy
    if found.sit_outs.least:
        words = ngettext(
            "Everybody sits out %(rounds)s round", "Everybody sits out %(rounds)s rounds", most
        )
        return words % {"rounds": ranged(found.sit_outs.least, most)}
    words = ngettext("Some sit out %(rounds)s round", "Some sit out %(rounds)s rounds", most)
    return words % {"rounds": ranged(1, most)}


# ---------------------------------------------------------------- advantages of alternatives


def alternatives(found: Sequence[Suggestion]) -> list[tuple[str, Suggestion]]:
    """Return at most three alternatives: the best for each advantage, then others."""
    if not found:
        return []
    first, rest = found[0], list(found[1:])
    told: list[tuple[str, Suggestion]] = []
    for words, is_good in _GOOD_FOR:
        best = next((each for each in rest if is_good(first, each)), None)
        if best is not None and len(told) < OTHERS:
            told.append((_(words), best))
            rest.remove(best)
    for each in rest[: OTHERS - len(told)]:
        told.append((_("Also possible"), each))
    return told


def _one_winner(first: Suggestion, other: Suggestion) -> bool:
    return first.winners == 2 and other.winners == 1 and not other.divided


def _winner_each_way(first: Suggestion, other: Suggestion) -> bool:
    return first.winners == 1 and other.winners == 2 and not other.divided


def _sooner(first: Suggestion, other: Suggestion) -> bool:
    return other.minutes <= first.minutes - SOONER


def _more_meet(first: Suggestion, other: Suggestion) -> bool:
    is_whole = other.met == other.possible and first.met < first.possible
    of_one_field = first.movement.two_fields or not other.movement.two_fields
    return is_whole and of_one_field and not other.divided


def _more_stay(first: Suggestion, other: Suggestion) -> bool:
    return other.stationary > first.stationary


def _fewer_boards(first: Suggestion, other: Suggestion) -> bool:
    return other.boards * other.copies < first.boards * first.copies


def _more_play(first: Suggestion, other: Suggestion) -> bool:
    return other.plays.least > first.plays.most


def _smaller_sections(first: Suggestion, other: Suggestion) -> bool:
    return other.divided and not first.divided


_GOOD_FOR: tuple[tuple[str, Callable[[Suggestion, Suggestion], bool]], ...] = (
    (gettext_noop("One winner for the whole room"), _one_winner),
    (gettext_noop("A winner each way"), _winner_each_way),
    (gettext_noop("Home sooner"), _sooner),
    (gettext_noop("Everybody meets everybody"), _more_meet),
    (gettext_noop("More pairs stay where they sit"), _more_stay),
    (gettext_noop("More boards for everybody"), _more_play),
    (gettext_noop("Fewer boards to get ready"), _fewer_boards),
    (gettext_noop("A room in sections"), _smaller_sections),
)
