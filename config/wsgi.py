"""The door for a WSGI server: `granian --interface wsgi config.wsgi:application`."""

import os
from collections.abc import Iterable

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from server.listening import listen
from server.memory import settle
from server.newest import Newest, Table
from server.shared_answers import Sharing
from server.turns import take_short_turns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OVERPLAY_PAGES"] = "yes"  # they alone may ask through a pooler


def newest() -> Iterable[Newest]:
    """What is newest of each event; its module can be read once Django is set up."""
    from scoring.views import kept_pages

    return kept_pages.newest()


known = Table(newest)
application = Sharing(get_wsgi_application(), known)
reverse("login")  # imports every view before the first request has to wait for it
known.read_first(listen())
settle()
take_short_turns()
