"""Print deals: `manage.py deal --boards 24 --format pbn`."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from boards import pbn, proof
from boards.models import LARGEST_SET
from boards.whist import InvalidSecret
from boards.whist.dealing import SECRET_BYTES, commitment, make_deal, read_secret
from boards.whist.notation import hands_text


class Command(BaseCommand):
    """Deal boards from a secret and print them; nothing is stored."""

    help = "Deal boards from a secret of the operating system, or a given one, and print them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Define the options."""
        parser.add_argument("--boards", required=True, metavar="N")
        parser.add_argument("--first", default="1", metavar="NUMBER")
        parser.add_argument("--format", choices=["pbn", "text"], default="pbn")
        parser.add_argument("--secret", metavar="HEX", help="64 hexadecimal digits")
        parser.add_argument("--public", metavar="TEXT", help="a value mixed in afterwards")

    def handle(self, *args: Any, **options: Any) -> None:
        """Deal the boards and print them."""
        made = _make(
            secret=options["secret"],
            first=_number("--first", options["first"]),
            boards=_number("--boards", options["boards"]),
            public=options["public"],
        )
        head = proof.header(made)
        as_pbn = options["format"] == "pbn"
        text = pbn.write(made.boards, head=head) if as_pbn else head + _lines(made)
        self.stdout.write(text, ending="")


def _make(*, secret: str | None, first: int, boards: int, public: str | None) -> proof.Proof:
    try:
        key = read_secret(secret) if secret else secrets.token_bytes(SECRET_BYTES)
    except InvalidSecret as problem:
        raise CommandError(str(problem)) from None
    return proof.Proof(
        secret=key,
        commitment=commitment(key, first=first, size=boards, awaits_public=public is not None),
        first=first,
        size=boards,
        public=public,
        boards={
            n: make_deal(key, n, public=public or "") for n in range(first, first + boards)
        },
        versions={},
    )


def _lines(made: proof.Proof) -> str:
    return "".join(
        f"{number} {hands_text(deal)} {deal.turned.code}\n"
        for number, deal in made.boards.items()
    )


def _number(option: str, text: str | int) -> int:
    written = str(text).strip()
    if not (written.isdecimal() and len(written) < 5 and 1 <= int(written) <= LARGEST_SET):
        words = _("%(option)s takes a number from 1 to %(most)s, not “%(text)s”.")
        raise CommandError(words % {"option": option, "most": LARGEST_SET, "text": text})
    return int(written)
