"""Services for the phones at the tables of a drive: their links, and the scores they send."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

import clubs.activities.services
from clubs.audit import Actor
from clubs.errors import ActionUnavailable, EntryConflict, RoundOver
from clubs.evenings.services import call_director
from clubs.evenings.tables import HAS_NO_OPEN_CHECK_IN, RequestResult, build_table_author
from clubs.models import TableLink
from drives.errors import InvalidScore, UnreadableDrive
from drives.games.contracts import DeclaringSide
from drives.games.hand_rows import NO_CONTRACT_KEY
from drives.games.settling import SEATS
from drives.models import Drive, Seat, SheetVersion
from drives.models.scores import Agreement
from drives.numbers import parse_signed_number
from drives.scores.terms import parse_points_table
from drives.services.scores import EnteredSheet, confirm_locked_sheet, enter_locked_sheet
from drives.services.seat_changes import check_drive_open
from drives.snapshot import format_seats, load_drive_snapshot
from server.json_reader.decoder import decode_json
from server.numbers import parse_whole_number

SIDES = ("A", "B")


def query_table_links(token: str) -> QuerySet[TableLink]:
    """Return a queryset with the table link that has this token; empty if there is none.

    It is also empty if the tables of the drive do not enter scores, but record rubbers.
    """
    links = TableLink.filter_by_token(token).filter(
        HAS_NO_OPEN_CHECK_IN, evening__drive__isnull=False, evening__rubber_night__isnull=True
    )
    return links.order_by("pk").select_related("evening__club", "evening__drive")


def get_drive(link: TableLink) -> Drive:
    """Return the drive of a table's link."""
    drive: Drive = link.evening.drive
    drive.club = link.evening.club  # already loaded, so this saves a query
    return drive


def is_drive_closed(link: TableLink) -> bool:
    """Return whether the drive of a table's link is closed."""
    return get_drive(link).is_closed


def create_table_links(*, drive: Drive, by: Actor) -> None:
    """Create a link for every table of a drive that has no link."""
    clubs.activities.services.create_table_links(
        activity=drive, list_table_numbers=_list_tables, by=by
    )


def _list_tables(drive: Drive) -> Sequence[int]:
    check_drive_open(drive)
    return range(1, load_drive_snapshot(drive).table_count + 1)


def perform_table_act(link: TableLink, form_input: QueryDict) -> RequestResult:
    """Handle a form from a table's phone: enter a score, confirm one, or call the organiser.

    The caller has locked the drive in a transaction. Raises a subclass of WhistError, e.g.
    RoundOver if the score is for an earlier round that already has another score.
    """
    if form_input.get("act") == "call":
        call_director(link=link)
        return RequestResult()
    round_number = parse_whole_number(form_input.get("round", ""), maximum=1000)
    hand_number = parse_whole_number(form_input.get("hand", ""), maximum=1000)
    if round_number is None or hand_number is None:
        raise ActionUnavailable(_("Hand not found at this table. Reload the page."))
    try:
        _enter_or_confirm_score(link, round_number, hand_number, form_input)
    except EntryConflict as conflict:
        if round_number < get_drive(link).at_round:
            raise RoundOver(_get_round_finished_message()) from conflict
        raise
    return RequestResult()


def _enter_or_confirm_score(
    link: TableLink, round_number: int, hand_number: int, form_input: QueryDict
) -> None:
    shown_seats, shown_scores = (
        form_input.get("seats", ""),
        _parse_numbers([form_input.get("seen", "")]),
    )
    if form_input.get("act") == "confirm":
        confirm_sheet_from_table(
            link=link,
            round_number=round_number,
            hand_number=hand_number,
            shown_seats=shown_seats,
            seen=shown_scores,
        )
        return
    contract = read_contract(form_input)
    if contract is not None and not form_input.get("contract", "").startswith("{"):
        _check_partner(get_drive(link), contract, is_alone="alone" in form_input)
    typed_scores = form_input.getlist("score") if contract is None else []
    if form_input.get("contract") == NO_CONTRACT_KEY:
        typed_scores = ["0"] * len(SEATS)
    if len(typed_scores) == 2 and not typed_scores[0].strip():
        raise InvalidScore(_("Enter the first side’s score."))
    enter_score_from_table(
        link=link,
        round_number=round_number,
        hand_number=hand_number,
        shown_seats=shown_seats,
        score=_parse_numbers(typed_scores),
        contract=contract,
        extras=_parse_numbers(form_input.getlist("extras"), empty_value=0),
        seen=shown_scores,
        side_letter=form_input.get("side", ""),
        key=form_input.get("key", "")[:40],
    )


def read_contract(form_input: QueryDict) -> dict[str, Any] | None:
    """Read the contract of a hand from an HTML form; return None if the form has none.

    The page's script sends JSON. Without JavaScript, the form has fields for the code of the
    contract, the seats of its players, and their tricks. Raises InvalidScore.
    """
    contract_text = form_input.get("contract", "")
    if contract_text.startswith("{"):
        try:
            contract = decode_json(contract_text, UnreadableDrive)
        except UnreadableDrive as problem:
            raise InvalidScore(str(problem)) from None
        return contract if isinstance(contract, dict) else None
    if contract_text in ("", NO_CONTRACT_KEY):
        return None
    tricks = [
        parse_whole_number(trick_text, maximum=99)
        for trick_text in form_input.get("tricks", "").split()
    ]
    if None in tricks:
        raise InvalidScore(_("Enter the tricks as whole numbers."))
    seat_numbers = [
        parse_whole_number(seat_text, maximum=4) for seat_text in form_input.getlist("by")
    ]
    passed_deal_count = parse_whole_number(form_input.get("passed") or "0", maximum=99)
    if passed_deal_count is None:
        raise InvalidScore(_("Enter the passed deals as a whole number."))
    hand_data: dict[str, Any] = {
        "contract": contract_text,
        "by": seat_numbers,
        "passed": passed_deal_count,
    }
    if tricks:
        hand_data["tricks"] = tricks if len(tricks) > 1 else tricks[0]
    return hand_data


def _check_partner(drive: Drive, hand_data: Mapping[str, Any], *, is_alone: bool) -> None:
    """Raise InvalidScore if a contract may have a partner, but only the bidder was chosen.

    A form without JavaScript has a tick box for a bidder who plays alone.
    """
    points_table = parse_points_table(drive.score)
    contract = (
        points_table.contracts_by_code.get(hand_data["contract"]) if points_table else None
    )
    is_partner_optional = (
        contract is not None and contract.rule.side is DeclaringSide.PAIR_OR_ALONE
    )
    if is_partner_optional and len(hand_data["by"]) == 1 and not is_alone:
        raise InvalidScore(_("Choose the partner too, or tick “No partner”."))


def _get_round_finished_message() -> str:
    return _("That round has finished. Ask the organiser to change it.")


def _parse_numbers(field_texts: Sequence[str], empty_value: int | None = None) -> list[int]:
    """Parse the values of a form field that contains whole numbers; raise InvalidScore.

    The page's script sends a single text such as "8,5". Without JavaScript, there is one text
    for each number. An empty text counts as `empty_value`, or is omitted if that is None.
    """
    number_texts = field_texts[0].split(",") if len(field_texts) == 1 else field_texts
    stripped_texts = [number_text.strip() for number_text in number_texts]
    parsed_numbers = [
        parse_signed_number(number_text) if number_text else empty_value
        for number_text in stripped_texts
    ]
    if any(
        number_text and number is None
        for number_text, number in zip(stripped_texts, parsed_numbers, strict=True)
    ):
        raise InvalidScore(_("Enter whole numbers."))
    return [number for number in parsed_numbers if number is not None]


def enter_score_from_table(
    *,
    link: TableLink,
    round_number: int,
    hand_number: int,
    shown_seats: str,
    score: Sequence[int] = (),
    contract: Mapping[str, Any] | None = None,
    extras: Sequence[int] = (),
    seen: Sequence[int] = (),
    side_letter: str = "",
    key: str = "",
) -> EnteredSheet:
    """Enter a score from a table's phone; the other side then has to confirm it.

    In a game with contracts, the phone sends a `contract` instead of a score. The caller has
    locked the link's drive in a transaction, which an error rolls back.

    `shown_seats` are the players shown on the phone (`format_seats`), so that no score is
    entered for other players. A table cannot remove a score. For a past round, only missing
    scores are accepted, because the phone may have been offline. Raises ActionUnavailable,
    InvalidScore or EntryConflict.
    """
    drive = get_drive(link)
    earlier_versions = (
        SheetVersion.objects.filter(sheet__round__drive=drive, key=key) if key else None
    )
    if earlier_versions is not None and (
        earlier_version := earlier_versions.select_related("sheet__round").first()
    ):
        # The phone repeats a request, because it did not receive the first response.
        return EnteredSheet(earlier_version.sheet, is_changed=False)
    _check_seats(drive, link.table, round_number, shown_seats)
    if not score and not contract:
        raise ActionUnavailable(_("Ask the organiser to remove a score."))
    if round_number < drive.at_round and seen:
        raise ActionUnavailable(_get_round_finished_message())
    return enter_locked_sheet(
        drive=drive,
        round_number=round_number,
        table=link.table,
        hand=hand_number,
        score=score,
        contract=contract,
        extras=extras,
        seen=seen,
        key=key,
        agreement=Agreement.AWAITED,
        by=build_table_author(str(link.table), side_letter, sides=SIDES),
    )


def confirm_sheet_from_table(
    *,
    link: TableLink,
    round_number: int,
    hand_number: int,
    shown_seats: str,
    seen: Sequence[int],
) -> EnteredSheet:
    """Record the other side's confirmation of the score that the phone showed (`seen`).

    The caller has locked the link's drive in a transaction, which an error rolls back.
    """
    drive = get_drive(link)
    _check_seats(drive, link.table, round_number, shown_seats)
    return confirm_locked_sheet(
        drive=drive,
        round_number=round_number,
        table=link.table,
        hand=hand_number,
        seen=seen,
        by=build_table_author(str(link.table)),
    )


def _check_seats(drive: Drive, table_number: int, round_number: int, shown_seats: str) -> None:
    """Raise ActionUnavailable if the phone showed other players than those at the table."""
    if round_number > drive.at_round:
        message = _("Round %(round)s isn’t in play now. Reload the page.")
        raise ActionUnavailable(message % {"round": round_number})
    seats = Seat.objects.filter(
        round__drive=drive, round__number=round_number, table=table_number
    )
    seated_numbers = list(seats.order_by("seat").values_list("player__number", flat=True))
    if not seated_numbers:
        message = _("No one plays at table %(table)s in round %(round)s.")
        raise ActionUnavailable(message % {"table": table_number, "round": round_number})
    if format_seats(seated_numbers) != shown_seats:
        raise ActionUnavailable(
            _("Different players are at this table now. Enter the score for them.")
        )
