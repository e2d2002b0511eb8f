"""An event as the CSV that BridgeWebs accepts: a head, the scores, and the travellers.

Source: the format that a public reader of such files expects; boards have contracts as in
USEBIO.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from boards.whist import Seat
from exchange.results.reading import EventResults, FiledBoardPlay
from exchange.results.usebio import contract_score, pair_number
from exchange.sheets import number, safe
from scoring.sheets.values import RankField, RankRow
from server.version import VERSION

SCORES = ("POSITION", "PAIR", "NAME1", "NAME2", "SCORE", "PERCENT")
LINES = ("NSPAIR", "EWPAIR", "CONTRACT", "PLAYEDBY", "TRICKS", "SCORE", "NSMP", "EWMP")


Row = Sequence[object]


def bridgewebs_of(found: EventResults) -> bytes:
    """Return an event as CSV for BridgeWebs."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    fields = [field for field in found.table.fields if field.rows]
    writer.writerows(_head(found, fields))
    for block in _blocks(fields):
        writer.writerow(("#SCORES",))
        writer.writerow(SCORES)
        writer.writerows(_score(found, row, field) for field in block for row in field.rows)
    writer.writerow(("#BOARDFORMAT", "BOARD"))
    writer.writerow(("#TRAVELLERS",))
    writer.writerow(LINES)
    writer.writerows(_travellers(found, fields))
    return text.getvalue().encode("utf-8-sig")


def _blocks(fields: Sequence[RankField]) -> list[list[RankField]]:
    """Return the fields of each #SCORES block.

    There is one block if there is one winner, otherwise North-South before East-West, because
    readers take the blocks in this order.
    """
    east_west = [field for field in fields if field.field == "EW"]
    others = [field for field in fields if field.field != "EW"]
    return [block for block in (others, east_west) if block]


def _head(found: EventResults, fields: Sequence[RankField]) -> Iterator[Row]:
    yield "#VERSION", f"Overplay {VERSION}"
    yield "#DATE", found.event.date.strftime("%d/%m/%Y")
    yield "#TITLE", safe(found.event.name)
    yield "#PAIRS", sum(len(field.rows) for field in fields)
    yield "#BOARDS", len({(play.session, play.board) for play in found.plays})
    yield "#WINNERS", 2 if any(field.field for field in fields) else 1
    yield "#ROUNDS", max((play.round for play in found.plays), default=0)


def _score(found: EventResults, row: RankRow, field: RankField) -> Row:
    first, second = [*found.entries[row.entry].people, "", ""][:2]
    return (
        f"{row.rank}{'=' if row.tied else ''}",
        pair_number(row.entry, field.field),
        safe(first),
        safe(second),
        number(row.score),
        "" if row.percent is None else number(row.percent * 100),
    )


def _travellers(found: EventResults, fields: Sequence[RankField]) -> Iterator[Row]:
    """Yield for each board a line with its number, then lines with its results."""
    own = {row.entry: field.field for field in fields for row in field.rows}
    order = sorted(found.plays, key=lambda each: (each.session, each.pool, each.board))
    together = groupby(order, key=lambda each: (each.session, each.pool, each.board))
    for (_session, _pool, board), plays in together:
        yield "#BOARD", board
        for play in plays:
            yield _line(play, own)


def _line(play: FiledBoardPlay, fields: Mapping[int, str]) -> list[str]:
    pairs = [
        "-".join(pair_number(each, fields.get(each, "")) for each in side)
        for side in (play.ns, play.ew)
    ]
    points = ["" if each is None else number(each) for each in play.matchpoints]
    tricks = play.line.ns_tricks
    if play.line.ns_points is not None and not play.line.ruled:
        return [*pairs, "", "", "", str(play.line.ns_worth), *points]
    if tricks is None or play.line.ruled:
        return [*pairs, "", "", "", "", *points]
    declarer = play.dealer if play.trumps else Seat.NORTH
    is_ns = declarer in (Seat.NORTH, Seat.SOUTH)
    own = tricks if is_ns else 13 - tricks
    score = contract_score(own, play.trumps)
    contract = f"1{play.trumps.value if play.trumps else 'NT'}"
    shown = str(score if is_ns else -score)
    return [*pairs, contract, declarer.value, str(own), shown, *points]
