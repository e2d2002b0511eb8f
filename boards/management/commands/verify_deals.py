"""The command that verifies a published set of deals: `manage.py verify_deals FILE`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import ngettext

from boards import proof
from boards.whist import WhistError
from boards.whist.board_file import decode_text


class Command(BaseCommand):
    """The command that checks a file's deals and commitment against its secret."""

    help = "Check the boards of a JSON, text or PBN file against its secret."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument for the file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify the deals of the file; raise CommandError with every difference."""
        try:
            published_proof = proof.parse_deal_proof(decode_text(options["file"].read_bytes()))
        except OSError as problem:
            raise CommandError(f"{options['file']}: {problem.strerror}.") from None
        except WhistError as problem:
            raise CommandError(str(problem)) from None
        differences = proof.list_differences(published_proof)
        if differences:
            raise CommandError("\n".join(differences))
        message = ngettext(
            "%(count)s board matches the secret.",
            "All %(count)s boards match the secret.",
            len(published_proof.deals_by_board),
        )
        self.stdout.write(message % {"count": len(published_proof.deals_by_board)})
