"""The command that prints deals: `manage.py deal --boards 24 --format pbn`."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from boards import pbn, proof
from boards.models import MAX_SET_SIZE
from boards.whist import InvalidSecret
from boards.whist.dealing import SECRET_BYTES, compute_commitment, deal_board, parse_secret
from boards.whist.notation import format_hands


class Command(BaseCommand):
    """The command that deals boards from a secret and prints them without storing them."""

    help = "Deal boards from a random or given secret and print them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options of the command."""
        parser.add_argument("--boards", required=True, metavar="N", help="number of boards")
        parser.add_argument("--first", default="1", metavar="N", help="first board number")
        parser.add_argument("--format", choices=["pbn", "text"], default="pbn")
        parser.add_argument("--secret", metavar="HEX", help="secret: 64 hexadecimal digits")
        parser.add_argument("--public", metavar="TEXT", help="public value to mix in")

    def handle(self, *args: Any, **options: Any) -> None:
        """Deal the boards and print them."""
        new_proof = _create_proof(
            secret=options["secret"],
            first_number=_parse_number("--first", options["first"]),
            board_count=_parse_number("--boards", options["boards"]),
            public_value=options["public"],
        )
        proof_header = proof.format_proof_header(new_proof)
        is_pbn = options["format"] == "pbn"
        boards_text = (
            pbn.format_pbn(new_proof.deals_by_board, header=proof_header)
            if is_pbn
            else proof_header + _format_board_lines(new_proof)
        )
        self.stdout.write(boards_text, ending="")


def _create_proof(
    *, secret: str | None, first_number: int, board_count: int, public_value: str | None
) -> proof.Proof:
    try:
        secret_bytes = parse_secret(secret) if secret else secrets.token_bytes(SECRET_BYTES)
    except InvalidSecret as problem:
        raise CommandError(str(problem)) from None
    return proof.Proof(
        secret=secret_bytes,
        commitment=compute_commitment(
            secret_bytes,
            first_number=first_number,
            size=board_count,
            should_use_public_value=public_value is not None,
        ),
        first_number=first_number,
        board_count=board_count,
        public_value=public_value,
        deals_by_board={
            board_number: deal_board(
                secret_bytes, board_number, public_value=public_value or ""
            )
            for board_number in range(first_number, first_number + board_count)
        },
        versions_by_board={},
    )


def _format_board_lines(new_proof: proof.Proof) -> str:
    return "".join(
        f"{board_number} {format_hands(deal)} {deal.known_turn_up.code}\n"
        for board_number, deal in new_proof.deals_by_board.items()
    )


def _parse_number(option_name: str, entered_value: str | int) -> int:
    digits = str(entered_value).strip()
    if not (digits.isdecimal() and len(digits) < 5 and 1 <= int(digits) <= MAX_SET_SIZE):
        message = _("%(option)s needs a number from 1 to %(most)s, not “%(text)s”.")
        raise CommandError(
            message % {"option": option_name, "most": MAX_SET_SIZE, "text": entered_value}
        )
    return int(digits)
