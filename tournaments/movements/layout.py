"""Movements as text for a terminal: the schedule, its balance, and the adviser's list."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice import reasons
from tournaments.movements.advice.answer import answer
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, Spread, balance
from tournaments.movements.exports import written_place
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import Unit, sized

TABLES_ABREAST = 7


def movement_text(movement: Movement) -> str:
    """Format a whole movement: its schedule, its announcement, and its balance."""
    size = [
        sized(Unit.TABLES, movement.tables),
        _rounds(movement.rounds),
        ngettext("%(number)s set", "%(number)s sets", movement.groups)
        % {"number": movement.groups},
        _("two winners") if movement.winners == 2 else _("one winner"),
    ]
    head = f"{movement.title}\n{', '.join(size)}"
    key = _("Each place in the table: who sits North-South, who East-West, and the set.")
    return "\n\n".join(
        [head, schedule_text(movement), key, announcement(movement), balance_text(movement)]
    )


def schedule_text(movement: Movement) -> str:
    """Format the schedule with a line for each round and a column for each table, in blocks."""
    tables = sorted({meeting.table for meeting in movement.meetings})
    blocks = [tables[i : i + TABLES_ABREAST] for i in range(0, len(tables), TABLES_ABREAST)]
    return "\n\n".join(_block(movement, block) for block in blocks)


def balance_text(movement: Movement) -> str:
    """Format the balance, one statistic a line."""
    figures = balance(movement)
    meet = _("%(spread)s (%(met)s of %(possible)s meet)") % {
        "spread": _spread(figures.meetings),
        "met": figures.met,
        "possible": figures.possible,
    }
    stationary = f"{len(figures.stationary)}{_names(movement, figures.stationary)}"
    lines = [
        (_("Meetings"), meet),
        (_("Comparisons"), _spread(figures.comparisons)),
        *_individuals(figures),
        (_("Replays"), str(figures.replays)),
        (_("Shared"), str(figures.shared)),
        (_("Sit-outs"), _spread(figures.sit_outs)),
        (_("Stationary"), stationary),
    ]
    width = max(len(label) for label, _figure in lines) + 2
    return "\n".join(label.ljust(width) + figure for label, figure in lines)


def suggestions_text(
    suggestions: Iterable[Suggestion],
    changes: Sequence[str] = (),
    *,
    explain: bool = False,
) -> str:
    """Format the adviser's list, best first, after the changes that would let all play more."""
    told = [
        f"{number}. " + "\n   ".join(_suggested(each, explain=explain))
        for number, each in enumerate(suggestions, start=1)
    ]
    return "\n\n".join([*([" ".join(changes)] if changes else []), *told])


def _suggested(each: Suggestion, *, explain: bool) -> list[str]:
    """Format the requirements and qualities of one suggestion, line by line."""
    lines = [
        _head(each),
        reasons.warning(each),
        _plain(each),
        _length(each),
        _figures(each),
        _pros(each),
        reasons.explained(each) if explain else "",
        each.announcement,
        each.cost,
    ]
    return [line for line in lines if line]


def _head(each: Suggestion) -> str:
    boards = ngettext("%(number)s board", "%(number)s boards", each.boards_a_round)
    return _("%(movement)s: %(rounds)s of %(boards)s") % {
        "movement": each.title,
        "rounds": _rounds(each.rounds),
        "boards": boards % {"number": each.boards_a_round},
    }


def _plain(each: Suggestion) -> str:
    """Format a suggestion's plain words as the page does."""
    told = answer(each)
    name = f"{told.title}. {told.bridge}" if told.bridge else f"{told.title}."
    return f"{name} {told.hours}: {told.length}. {told.meets} {told.boards}."


def _length(each: Suggestion) -> str:
    words = ngettext("%(minutes)s minute", "%(minutes)s minutes", each.minutes)
    told = words % {"minutes": each.minutes}
    return f"{told}; {each.otherwise}" if each.otherwise else told


def _pros(each: Suggestion) -> str:
    words, against = _("For it: %(reason)s"), reasons.reason_against(each)
    told = words % {"reason": reasons.reason_for(each)}
    if not against:
        return told
    return f"{told} {_('The drawback: %(reason)s') % {'reason': against}}"


def _figures(each: Suggestion) -> str:
    words = _(
        "%(boards)s boards in all, each plays %(plays)s; meetings %(met)s of %(possible)s; "
        "comparisons %(comparisons)s; sit-outs %(sit_outs)s; winners %(winners)s; stationary "
        "%(stationary)s"
    )
    return words % {
        "boards": _boards_in_all(each),
        "plays": _spread(each.plays),
        "met": each.met,
        "possible": each.possible,
        "comparisons": _spread(each.comparisons),
        "sit_outs": each.sit_outs.most,
        "winners": each.winners,
        "stationary": each.stationary,
    }


def _boards_in_all(each: Suggestion) -> str:
    if each.copies == 1:
        return str(each.boards)
    words = _("%(copies)s × %(boards)s")
    return words % {"copies": each.copies, "boards": each.boards}


def _rounds(number: int) -> str:
    return ngettext("%(number)s round", "%(number)s rounds", number) % {"number": number}


def _block(movement: Movement, tables: Sequence[int]) -> str:
    cells = {(each.round, each.table): _cell(movement, each) for each in movement.played}
    heads = [_("Table %(table)s") % {"table": table} for table in tables]
    rows = [[_("Round"), *heads]]
    for number in range(1, movement.rounds + 1):
        rows.append([str(number), *(cells.get((number, table), "-") for table in tables)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _cell(movement: Movement, meeting: Meeting) -> str:
    ns, ew = (
        "+".join(str(_place(movement, place)) for place in side)
        for side in (meeting.ns, meeting.ew)
    )
    return _("%(ns)s v %(ew)s: %(group)s") % {"ns": ns, "ew": ew, "group": meeting.board_group}


def _place(movement: Movement, place: int) -> int | str:
    if movement.contest is Contest.TEAMS:
        return written_place(movement, place)
    return movement.labels[place - 1]


def _individuals(figures: Balance) -> list[tuple[str, str]]:
    if figures.partners is None or figures.opponents is None:
        return []
    return [
        (_("Partners"), _spread(figures.partners)),
        (_("Opponents"), _spread(figures.opponents)),
    ]


def _names(movement: Movement, places: Sequence[int]) -> str:
    return f" ({', '.join(movement.labels[place - 1] for place in places)})" if places else ""


def _spread(spread: Spread) -> str:
    if spread.least == spread.most:
        return str(spread.most)
    return _("%(least)s to %(most)s") % {"least": spread.least, "most": spread.most}
