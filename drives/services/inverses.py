"""The undo actions of a drive: each is a service, called with the stored arguments.

The names are stored in the history (`clubs.audit.Undo`), so they must not change.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.audit import Actor
from clubs.undo import Inverse, LinkRevokingInverse
from drives.models import Drive
from drives.services.create import change_terms
from drives.services.house import set_house_terms
from drives.services.house_tables import set_contract_words
from drives.services.links import revoke_card_links
from drives.services.points import change_points
from drives.services.prizes import close_drive, reopen_drive, restore_cut_winners, set_prizes
from drives.services.scores import enter_sheet, undo_confirmation
from drives.services.seat_changes import undo_seat_change
from drives.services.totals import enter_total


def _restore_sheet(
    *,
    drive: Drive,
    by: Actor,
    round: int,
    table: int,
    hand: int,
    score: Sequence[int],
    extras: Sequence[int],
    contract: Mapping[str, Any] | None = None,
) -> None:
    enter_sheet(
        drive=drive,
        round_number=round,
        table=table,
        hand=hand,
        score=() if contract else score,
        contract=contract,
        extras=extras,
        reason=None,
        by=by,
    )


CLUB_INVERSES: Mapping[str, Inverse] = {
    "drive.contract_words": set_contract_words,
    "drive.house_terms": set_house_terms,
}

INVERSES: Mapping[str, Inverse] = {
    "drive.await_yes": undo_confirmation,
    "drive.change": change_terms,
    "drive.close": close_drive,
    "drive.cut": restore_cut_winners,
    "drive.points": change_points,
    "drive.prizes": set_prizes,
    "drive.put_back": undo_seat_change,
    "drive.reopen": reopen_drive,
    "drive.revoke_links": LinkRevokingInverse(revoke_card_links),
    "drive.sheet": _restore_sheet,
    "drive.total": enter_total,
}
