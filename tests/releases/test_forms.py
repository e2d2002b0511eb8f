"""Any text typed into a field of any form gets a proper response, and breaks no page."""

import os
import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from tests.releases import given, walk
from tests.releases.forms import Form, fields_once, forms

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_then")]

AWFUL = [
    "1e309",
    "1e30000000",
    "9" * 400,
    "-1",
    "٣",
    "NaN",
    "1/0",
    "\0",
    "0x10",
    "²",
    " ",
    "99999999999999999999",
    "' OR 1=1 --",
    "2026-02-30",
    "1,2;3",
]
SENT = 405  # it only accepts POST, for any event
FILE = re.compile(r"\.(?!html)[a-z]+$")  # the end of a URL that is not a page
LEAVES = {"logout"}  # after signing out nothing more is tried


def test_awful_things_typed_into_any_field_are_answered(release: object) -> None:
    client = given.visitor("owner")
    found = list(fields_once(_forms(client), _route))
    wrong = []
    awful = cycle([AWFUL] if os.environ.get("EVERY_FIELD") else [[each] for each in AWFUL])
    for form, name in found:
        for value in next(awful):
            code = _sent(client, form, form.with_one(name, value))
            if code >= 500:
                wrong.append((form.path, form.method, name, value[:20], code))
    assert len(found) > 150
    assert wrong == []


def _forms(client: Client) -> Iterator[Form]:
    """Read the forms of one page of each route, and of every secret link."""
    routes = set()
    for page in walk.pages():
        if page.route in routes or page.path.startswith(("/admin/", "/api/")):
            continue
        if FILE.search(page.path):
            continue
        answer = client.get(page.path)
        if answer.status_code in (200, SENT) and page.route != walk.A_LINK:
            routes.add(page.route)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 200 and is_page and not answer.streaming:
            yield from forms(page.path, answer.content.decode())


def _sent(client: Client, form: Form, data: dict[str, str]) -> int:
    with given.put_back():
        send: Any = client.post if form.method == "post" else client.get
        return int(send(form.path, data).status_code)


def _route(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return path
