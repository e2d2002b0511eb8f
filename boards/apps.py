from django.apps import AppConfig
from django.utils.translation import gettext, ngettext

from boards.whist.words import Translator, speak


class BoardsConfig(AppConfig):
    name = "boards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the pure packages speak the language of the page."""
        speak(Translator(gettext, ngettext))
