"""The door for a WSGI server: `granian --interface wsgi config.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from server.listening import listen
from server.memory import settle
from server.shared_answers import Sharing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OVERPLAY_PAGES"] = "yes"  # they alone may ask through a pooler

application = Sharing(get_wsgi_application())
listen()
settle()
