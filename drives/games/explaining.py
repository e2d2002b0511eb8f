"""Sentences that explain the points of a hand, for all four players or for one of them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.games.contracts import Contract, Goal, PointsTable
from drives.games.settling import Part, Settlement
from server.formatting import format_signed


def explain_hand(
    table: PointsTable,
    settled: Settlement,
    names: Sequence[str],
    *,
    seat: int | None = None,
    use_titles: bool = False,
) -> list[str]:
    """Explain the points of a hand in sentences, given the names in seat order.

    With `seat` only the points of that player are explained. Contracts have the players' own
    words, or their English titles with `use_titles`.
    """
    writer = _Writer(names, use_titles)
    contract = settled.hand.contract
    found = []
    if contract is not None:
        for part in settled.parts:
            is_theirs = seat is None or seat in part.by
            write = writer.format_part if is_theirs else writer.format_opponents_part
            found.append(write(contract, part))
        found += _list_doubling_sentences(table, settled)
    for fine in settled.hand.fines:
        is_theirs = seat in (None, fine.by)
        words = _("fine (%(why)s)") if fine.why else _("fine")
        what = words % {"why": fine.why}
        points = -3 * fine.each if is_theirs else fine.each
        found.append(writer.format_fine(fine.by, what, fine.each, points, is_own=is_theirs))
    own = [line.points for line in settled.lines if line.seat == seat]
    if len(own) > 1:
        found.append(_("Total: %(points)s.") % {"points": format_signed(sum(own))})
    return found


class _Writer:
    """The names with which sentences are written."""

    def __init__(self, names: Sequence[str], use_titles: bool) -> None:
        self.names = names
        self.use_titles = use_titles

    def format_part(self, contract: Contract, part: Part) -> str:
        """Explain a settlement from the side of its players."""
        sign = 1 if part.is_made else -1
        count = len(part.by)
        values = {
            "names": self._join_names(part.by),
            "result": self._format_result(contract, part),
            "price": part.price,
            "points": format_signed(sign * part.price * (4 - count) // count),
        }
        if count > 1:
            return _("%(names)s: %(result)s, %(points)s each.") % values
        if part.is_made:
            words = _("%(names)s: %(result)s, %(price)s from each of three, %(points)s.")
        else:
            words = _("%(names)s: %(result)s, %(price)s to each of three, %(points)s.")
        return words % values

    def format_opponents_part(self, contract: Contract, part: Part) -> str:
        """Explain a settlement to an opponent of its players."""
        words = _("Against %(names)s: %(result)s, %(points)s.")
        return words % {
            "names": self._join_names(part.by),
            "result": self._format_result(contract, part),
            "points": format_signed(-part.price if part.is_made else part.price),
        }

    def format_fine(self, by: int, what: str, each: int, points: int, *, is_own: bool) -> str:
        """Explain a fine to the player who pays it, or to another player."""
        words = (
            _("%(name)s: %(what)s, %(each)s to each of three, %(points)s.")
            if is_own
            else _("From %(name)s: %(what)s, %(points)s.")
        )
        return words % {
            "name": self.names[by - 1],
            "what": what,
            "each": each,
            "points": format_signed(points),
        }

    def _join_names(self, seats: Sequence[int]) -> str:
        *others, last = (self.names[seat - 1] for seat in seats)
        if not others:
            return last
        return _("%(names)s and %(last)s") % {"names": ", ".join(others), "last": last}

    def _format_result(self, contract: Contract, part: Part) -> str:
        """Return the contract and its result: "Together 12, 10 tricks, 2 short"."""
        label, rule = contract.label, contract.rule
        title = label.title if self.use_titles else label.local
        tricks = part.tricks
        if tricks is None or rule.how is not Goal.AT_LEAST:
            words = _("%(contract)s made") if part.is_made else _("%(contract)s lost")
            return words % {"contract": title}
        taken = ngettext("%(count)s trick", "%(count)s tricks", tricks) % {"count": tricks}
        short = (rule.wants or 0) - tricks
        if short > 0:
            words = _("%(contract)s, %(tricks)s, %(short)s short")
        elif part.is_made:
            words = _("%(contract)s, made with %(tricks)s")
        else:
            words = _("%(contract)s, lost with %(tricks)s")
        return words % {"contract": title, "tricks": taken, "short": short}


def _list_doubling_sentences(table: PointsTable, settled: Settlement) -> Iterator[str]:
    """Yield a sentence for passed deals, for doubling at the table and for revokes."""
    hand = settled.hand
    by_passes = table.compute_multiple(hand.passed, 1)
    if by_passes > 1:
        words = ngettext(
            "%(count)s passed deal before: points times %(multiple)s.",
            "%(count)s passed deals before: points times %(multiple)s.",
            hand.passed,
        )
        yield words % {"count": hand.passed, "multiple": by_passes}
    if hand.times > 1:
        yield _("Doubled at the table: the points are multiplied by %(multiple)s.") % {
            "multiple": hand.times
        }
    if not hand.revokes or table.revoke is None:
        return
    values = {"count": hand.revokes, "tricks": (table.revoke.tricks or 0) * hand.revokes}
    if table.revoke.times:
        words = _("Revoke: the contract is lost, and the points are multiplied by %(times)s.")
        values["times"] = table.revoke.times
    elif settled.hand.contract and settled.hand.contract.rule.needs_all_or_none:
        words = _("Revoke: the contract is lost.")
    else:
        words = _("Revoke: the contract is lost, and %(tricks)s tricks are deducted.")
    yield words % values
