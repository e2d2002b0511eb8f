"""A movement as text for a terminal: the schedule, its balance, and the adviser's list."""

from collections.abc import Iterable, Sequence

from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, Spread, balance
from tournaments.movements.exports import written_place
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.suggest import Suggestion
from tournaments.movements.words import counted

TABLES_ABREAST = 7


def movement_text(movement: Movement) -> str:
    """Write out a whole movement: its schedule, what everybody does, and its balance."""
    head = (
        f"{movement.title}\n{counted(movement.tables, 'table')}, "
        f"{counted(movement.rounds, 'round')}, {counted(movement.groups, 'board group')}, "
        + ("two winners" if movement.winners == 2 else "one winner")
    )
    key = "Each place in the table: who sits North-South, who East-West, and the board group."
    return "\n\n".join(
        [head, schedule_text(movement), key, announcement(movement), balance_text(movement)]
    )


def schedule_text(movement: Movement) -> str:
    """Write the schedule, a line a round and a column a table, a few tables abreast."""
    tables = sorted({meeting.table for meeting in movement.meetings})
    blocks = [tables[i : i + TABLES_ABREAST] for i in range(0, len(tables), TABLES_ABREAST)]
    return "\n\n".join(_block(movement, block) for block in blocks)


def balance_text(movement: Movement) -> str:
    """Write the balance, a line a figure."""
    figures = balance(movement)
    lines = [
        f"Meetings     {_spread(figures.meetings)} ({figures.met} of {figures.possible} meet)",
        f"Comparisons  {_spread(figures.comparisons)}",
        *_individuals(figures),
        f"Replays      {figures.replays}",
        f"Shared       {figures.shared}",
        f"Sit-outs     {_spread(figures.sit_outs)}",
        f"Stationary   {len(figures.stationary)}{_names(movement, figures.stationary)}",
    ]
    return "\n".join(lines)


def suggestions_text(suggestions: Iterable[Suggestion]) -> str:
    """Write the adviser's list, the best first."""
    return "\n\n".join(
        f"{number}. {each.title}: {counted(each.rounds, 'round')} "
        f"of {counted(each.boards_a_round, 'board')}\n"
        f"   {each.boards} boards in all, each plays {_spread(each.plays)}; "
        f"meetings {each.met} of {each.possible}; comparisons {_spread(each.comparisons)}; "
        f"sit-outs {each.sit_outs.most}; winners {each.winners}; "
        f"stationary {each.stationary}\n"
        f"   {each.announcement}\n"
        f"   {each.cost}"
        for number, each in enumerate(suggestions, start=1)
    )


def _block(movement: Movement, tables: Sequence[int]) -> str:
    cells = {(each.round, each.table): _cell(movement, each) for each in movement.played}
    rows = [["Round", *(f"Table {table}" for table in tables)]]
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
    return f"{ns} v {ew}: {meeting.board_group}"


def _place(movement: Movement, place: int) -> int | str:
    if movement.contest is Contest.TEAMS:
        return written_place(movement, place)
    return movement.labels[place - 1]


def _individuals(figures: Balance) -> list[str]:
    if figures.partners is None or figures.opponents is None:
        return []
    return [
        f"Partners     {_spread(figures.partners)}",
        f"Opponents    {_spread(figures.opponents)}",
    ]


def _names(movement: Movement, places: Sequence[int]) -> str:
    return f" ({', '.join(movement.labels[place - 1] for place in places)})" if places else ""


def _spread(spread: Spread) -> str:
    if spread.least == spread.most:
        return str(spread.most)
    return f"{spread.least} to {spread.most}"
