"""The WSGI application: `granian --interface wsgi config.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from config.templates import preload_views_and_templates
from server.invalidation import start_listener
from server.memory import freeze_loaded_objects
from server.switch_interval import shorten_switch_interval

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# The settings read this variable: only the processes that serve pages, not workers or
# commands, may connect to the database through a pooler.
os.environ["OVERPLAY_PAGES"] = "yes"

application = get_wsgi_application()
preload_views_and_templates()
start_listener()
freeze_loaded_objects()
shorten_switch_interval()
