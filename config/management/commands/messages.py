"""`manage.py messages`: show how complete the translations are, or list what one lacks."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config import catalogues
from config.catalogues import Catalogue, Message


class Command(BaseCommand):
    help = "Show how complete each language is, or list the messages missing in one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("language", nargs="?", help="e.g. nl: list its faults and gaps")
        parser.add_argument("--all", action="store_true", help="also those for directors only")

    def handle(self, *args: object, language: str | None, all: bool, **options: object) -> None:
        known_languages = catalogues.list_catalogue_languages()
        if language is not None and language not in known_languages:
            raise CommandError(
                _("No catalogue for %(language)s. Available: %(known)s.")
                % {"language": language, "known": ", ".join(known_languages) or "-"}
            )
        player_source_patterns = catalogues.read_player_sources()
        for language_code in [language] if language else known_languages:
            catalogue = catalogues.read_catalogue(catalogues.get_catalogue_path(language_code))
            player_messages = [
                message
                for message in catalogue.messages
                if catalogues.is_for_players(message, player_source_patterns)
            ]
            self._print_translation_counts(language_code, catalogue, player_messages)
            if language:
                self._print_untranslated_messages(
                    catalogue, catalogue.messages if all else player_messages
                )

    def _print_translation_counts(
        self, language: str, catalogue: Catalogue, player_messages: list[Message]
    ) -> None:
        message_text = _(
            "%(language)s: %(done)s of %(all)s messages, "
            "%(for_players)s of %(players)s for players, %(fuzzy)s to check"
        )
        placeholders = {
            "language": language,
            "done": sum(message.is_translated for message in catalogue.messages),
            "all": len(catalogue.messages),
            "for_players": sum(message.is_translated for message in player_messages),
            "players": len(player_messages),
            "fuzzy": sum(message.is_fuzzy for message in catalogue.messages),
        }
        self.stdout.write(message_text % placeholders)

    def _print_untranslated_messages(
        self, catalogue: Catalogue, messages: tuple[Message, ...] | list[Message]
    ) -> None:
        for message in catalogue.messages:
            for translation_error in catalogues.find_translation_errors(
                message, catalogue.plural_form_count
            ):
                self.stdout.write(f"{message.text!r}: {translation_error}")
        for message in messages:
            if not message.is_translated:
                self.stdout.write(f"{message.sources[0]}: {message.text!r}")
