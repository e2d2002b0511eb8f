"""A template loader that removes indentation, and a function that preloads views and
templates.
"""

import re

from django.conf import settings
from django.template import Origin
from django.template.loader import get_template
from django.template.loaders.filesystem import Loader
from django.urls import reverse

SHARED_FOLDERS = ("frames", "components")
"""Folders of templates that most pages include."""
INDENTATION_PATTERN = re.compile(r"\n[ \t]+")


class UnindentingLoader(Loader):
    """A template loader that removes the indentation of lines.

    Indentation would make pages for phones a third larger. Line breaks are kept, so that line
    numbers in errors are correct.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template without indentation."""
        return INDENTATION_PATTERN.sub("\n", super().get_contents(origin))


def load_pages() -> None:
    """Import all views, and compile the templates and tags that most pages need.

    Otherwise the first page of a process takes twice as long (docs/performance.md).
    """
    reverse("login")
    root = settings.BASE_DIR / "templates"
    for folder in SHARED_FOLDERS:
        for path in sorted((root / folder).glob("*.html")):
            get_template(f"{folder}/{path.name}")
