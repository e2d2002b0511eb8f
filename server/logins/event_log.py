"""The login log: each event is a row that owners see, and a JSON log line for operators."""

import json
import logging

from django.http import HttpRequest
from django.utils import timezone

from server.counters import COUNTERS, LOGIN_COUNTER
from server.logins.client_info import describe_device, find_client_address, shorten_address
from server.models import LoginNote, User

log = logging.getLogger("overplay.logins")
LoginEventKind = LoginNote.EventKind


def log_login_event(
    event_kind: LoginNote.EventKind,
    *,
    user: User | None,
    request: HttpRequest | None = None,
    detail: str = "",
) -> LoginNote:
    """Log an event of a login.

    An unknown name is not stored, since it may be a password typed into the wrong field.
    """
    login_note = LoginNote(
        at=timezone.now(),
        user=user,
        name=user.get_username() if user else "",
        what=event_kind,
        device=describe_device(request) if request else "",
        address=shorten_address(find_client_address(request)) if request else "",
        detail=detail[:100],
    )
    login_note.save()
    COUNTERS.add(LOGIN_COUNTER, str(event_kind))
    log_entry = {
        "what": str(event_kind),
        "at": login_note.at.isoformat(timespec="seconds"),
        "name": login_note.name,
    }
    log_entry |= {
        "device": login_note.device,
        "address": login_note.address,
        "detail": login_note.detail,
    }
    log.info(json.dumps({key: value for key, value in log_entry.items() if value}))
    return login_note
