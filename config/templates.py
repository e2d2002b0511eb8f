"""Loading of templates without indentation."""

import re

from django.conf import settings
from django.template import Origin
from django.template.loader import get_template
from django.template.loaders.filesystem import Loader
from django.urls import reverse

SHARED_FOLDERS = ("frames", "components")
"""Folders of templates that nearly every page includes."""
INDENTATION = re.compile(r"\n[ \t]+")


class Unindented(Loader):
    """Template loader that removes the indentation of lines.

    Indentation would add a third to what a phone in the hall loads. Line breaks stay, so that
    line numbers in errors are correct.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template without indentation."""
        return INDENTATION.sub("\n", super().get_contents(origin))


def load_pages() -> None:
    """Import all views, and compile the templates and tags that nearly every page needs.

    Otherwise the first page of a process takes twice as long (docs/performance.md).
    """
    reverse("login")
    root = settings.BASE_DIR / "templates"
    for folder in SHARED_FOLDERS:
        for path in sorted((root / folder).glob("*.html")):
            get_template(f"{folder}/{path.name}")
