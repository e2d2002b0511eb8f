"""The WSGI application: `granian --interface wsgi config.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from config.templates import load_pages
from server.invalidation import start_listener
from server.memory import settle
from server.switch_interval import take_short_turns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OVERPLAY_PAGES"] = "yes"  # only pages may connect through a pooler

application = get_wsgi_application()
load_pages()
start_listener()
settle()
take_short_turns()
