"""Templates as they are served: without the space that only their writers need."""

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader

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
