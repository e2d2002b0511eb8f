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
            first=_parse_number("--first", options["first"]),
            boards=_parse_number("--boards", options["boards"]),
            public=options["public"],
        )
        head = proof.format_proof_header(new_proof)
        as_pbn = options["format"] == "pbn"
        text = (
            pbn.write_pbn(new_proof.boards, head=head)
            if as_pbn
            else head + _format_lines(new_proof)
        )
        self.stdout.write(text, ending="")


def _create_proof(
    *, secret: str | None, first: int, boards: int, public: str | None
) -> proof.Proof:
    try:
        key = parse_secret(secret) if secret else secrets.token_bytes(SECRET_BYTES)
    except InvalidSecret as problem:
        raise CommandError(str(problem)) from None
    return proof.Proof(
        secret=key,
        commitment=compute_commitment(
            key, first=first, size=boards, awaits_public=public is not None
        ),
        first=first,
        size=boards,
        public=public,
        boards={
            n: deal_board(key, n, public=public or "") for n in range(first, first + boards)
        },
        versions={},
    )


def _format_lines(new_proof: proof.Proof) -> str:
    return "".join(
        f"{number} {format_hands(deal)} {deal.turned.code}\n"
        for number, deal in new_proof.boards.items()
    )


def _parse_number(option: str, text: str | int) -> int:
    digits = str(text).strip()
    if not (digits.isdecimal() and len(digits) < 5 and 1 <= int(digits) <= MAX_SET_SIZE):
        message = _("%(option)s needs a number from 1 to %(most)s, not “%(text)s”.")
        raise CommandError(message % {"option": option, "most": MAX_SET_SIZE, "text": text})
    return int(digits)
