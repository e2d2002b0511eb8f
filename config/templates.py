"""A template loader that removes indentation, and the preloading of views and templates."""

import re

from django.conf import settings
from django.template import Origin
from django.template.loader import get_template
from django.template.loaders.filesystem import Loader
from django.urls import reverse

SHARED_TEMPLATE_FOLDERS = ("frames", "components")
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


def preload_views_and_templates() -> None:
    """Import all views, and compile the templates and tags that most pages need.

    Otherwise the first page of a process takes twice as long (docs/performance.md).
    """
    reverse("login")
    templates_folder = settings.BASE_DIR / "templates"
    for folder_name in SHARED_TEMPLATE_FOLDERS:
        for template_path in sorted((templates_folder / folder_name).glob("*.html")):
            get_template(f"{folder_name}/{template_path.name}")
