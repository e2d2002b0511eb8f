"""Templates as they are served: without the space that only their writers need."""

import re

from django.conf import settings
from django.template import Origin
from django.template.loader import get_template
from django.template.loaders.filesystem import Loader
from django.urls import reverse

SHARED_FOLDERS = ("frames", "components")
"""Where the templates are that nearly every page includes."""
INDENTATION = re.compile(r"\n[ \t]+")


class Unindented(Loader):
    """Reads our templates without the space that their lines begin with.

    A page is written for people, a step to the right for everything inside something else; a
    phone in the hall would load a third more for it. Lines stay lines, so that a mistake is
    still found by its number.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template, each line from its first letter on."""
        return INDENTATION.sub("\n", super().get_contents(origin))


def load_pages() -> None:
    """Import all views, and compile the templates and tags that nearly every page needs.

    Without it the first page of a process takes twice as long (docs/performance.md).
    """
    reverse("login")
    root = settings.BASE_DIR / "templates"
    for folder in SHARED_FOLDERS:
        for path in sorted((root / folder).glob("*.html")):
            get_template(f"{folder}/{path.name}")
