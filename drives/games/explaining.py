"""Sentences that explain the points of a hand, for all four players or for one of them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.games.contracts import Contract, PointsTable, TrickGoal
from drives.games.settling import Fine, Settlement, SettlementPart
from server.formatting import format_signed


def explain_hand(
    points_table: PointsTable,
    settlement: Settlement,
    player_names: Sequence[str],
    *,
    seat_number: int | None = None,
) -> list[str]:
    """Explain the points of a hand in sentences, given the players' names in seat order.

    With `seat_number` only the points of that player are explained.
    """
    writer = _SentenceWriter(player_names)
    contract = settlement.hand.contract
    sentences = []
    if contract is not None:
        for settlement_part in settlement.parts:
            is_for_declarer = seat_number is None or seat_number in settlement_part.declarers
            format_part = (
                writer.format_settlement_part
                if is_for_declarer
                else writer.format_opponents_part
            )
            sentences.append(format_part(contract, settlement_part))
        sentences += _list_doubling_sentences(points_table, settlement)
    sentences += [
        writer.format_fine(fine, is_for_payer=seat_number in (None, fine.payer_seat))
        for fine in settlement.hand.fines
    ]
    seat_points = [
        points_line.points
        for points_line in settlement.points_lines
        if points_line.seat_number == seat_number
    ]
    if len(seat_points) > 1:
        sentences.append(_("Total: %(points)s.") % {"points": format_signed(sum(seat_points))})
    return sentences


class _SentenceWriter:
    """Writes sentences with the names of the players, which are in seat order."""

    def __init__(self, player_names: Sequence[str]) -> None:
        self.player_names = player_names

    def format_settlement_part(
        self, contract: Contract, settlement_part: SettlementPart
    ) -> str:
        """Explain one part of a settlement from the declarers' point of view."""
        points_sign = 1 if settlement_part.is_made else -1
        declarer_count = len(settlement_part.declarers)
        message_values = {
            "names": self._join_names(settlement_part.declarers),
            "result": self._format_result(contract, settlement_part),
            "price": settlement_part.points_per_opponent,
            "points": format_signed(
                points_sign
                * settlement_part.points_per_opponent
                * (4 - declarer_count)
                // declarer_count
            ),
        }
        if declarer_count > 1:
            return _("%(names)s: %(result)s, %(points)s each.") % message_values
        if settlement_part.is_made:
            message = _("%(names)s: %(result)s, %(price)s from each of three, %(points)s.")
        else:
            message = _("%(names)s: %(result)s, %(price)s to each of three, %(points)s.")
        return message % message_values

    def format_opponents_part(self, contract: Contract, settlement_part: SettlementPart) -> str:
        """Explain to an opponent of the declarers what the settlement costs or brings them."""
        message = _("Against %(names)s: %(result)s, %(points)s.")
        return message % {
            "names": self._join_names(settlement_part.declarers),
            "result": self._format_result(contract, settlement_part),
            "points": format_signed(
                -settlement_part.points_per_opponent
                if settlement_part.is_made
                else settlement_part.points_per_opponent
            ),
        }

    def format_fine(self, fine: Fine, *, is_for_payer: bool) -> str:
        """Explain a fine to the player who pays it, or to another player."""
        if is_for_payer:
            message = _("%(name)s: %(what)s, %(each)s to each of three, %(points)s.")
        else:
            message = _("From %(name)s: %(what)s, %(points)s.")
        fine_text = _("fine (%(why)s)") if fine.reason else _("fine")
        return message % {
            "name": self.player_names[fine.payer_seat - 1],
            "what": fine_text % {"why": fine.reason},
            "each": fine.points_per_opponent,
            "points": format_signed(
                -3 * fine.points_per_opponent if is_for_payer else fine.points_per_opponent
            ),
        }

    def _join_names(self, seat_numbers: Sequence[int]) -> str:
        *other_names, last_name = (
            self.player_names[seat_number - 1] for seat_number in seat_numbers
        )
        if not other_names:
            return last_name
        return _("%(names)s and %(last)s") % {
            "names": ", ".join(other_names),
            "last": last_name,
        }

    def _format_result(self, contract: Contract, settlement_part: SettlementPart) -> str:
        """Return the contract and its result: "Together 12, 10 tricks, 2 short"."""
        title, rule = contract.label.local, contract.rule
        tricks = settlement_part.tricks
        if tricks is None or rule.goal is not TrickGoal.AT_LEAST:
            message = (
                _("%(contract)s made") if settlement_part.is_made else _("%(contract)s lost")
            )
            return message % {"contract": title}
        trick_count_text = ngettext("%(count)s trick", "%(count)s tricks", tricks) % {
            "count": tricks
        }
        missing_tricks = (rule.wants or 0) - tricks
        if missing_tricks > 0:
            message = _("%(contract)s, %(tricks)s, %(short)s short")
        elif settlement_part.is_made:
            message = _("%(contract)s, made with %(tricks)s")
        else:
            message = _("%(contract)s, lost with %(tricks)s")
        return message % {
            "contract": title,
            "tricks": trick_count_text,
            "short": missing_tricks,
        }


def _list_doubling_sentences(
    points_table: PointsTable, settlement: Settlement
) -> Iterator[str]:
    """Yield a sentence for passed deals, for doubling at the table and for revokes."""
    hand = settlement.hand
    passed_deals_multiplier = points_table.compute_multiple(hand.passed, 1)
    if passed_deals_multiplier > 1:
        message = ngettext(
            "After %(count)s passed deal: points × %(multiple)s.",
            "After %(count)s passed deals: points × %(multiple)s.",
            hand.passed,
        )
        yield message % {"count": hand.passed, "multiple": passed_deals_multiplier}
    if hand.table_multiple > 1:
        yield _("Doubled at the table: points × %(multiple)s.") % {
            "multiple": hand.table_multiple
        }
    if not hand.revokes or points_table.revoke is None:
        return
    message_values = {
        "count": hand.revokes,
        "tricks": (points_table.revoke.tricks or 0) * hand.revokes,
    }
    if points_table.revoke.times:
        message = _("Revoke: the contract is lost, and points × %(times)s.")
        message_values["times"] = points_table.revoke.times
    elif settlement.hand.contract and settlement.hand.contract.rule.is_all_or_none:
        message = _("Revoke: the contract is lost.")
    else:
        message = _("Revoke: the contract is lost. Tricks deducted: %(tricks)s.")
    yield message % message_values
