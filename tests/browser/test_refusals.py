"""After a form is refused, its message is visible and the focus is on the faulty field.

The forms are found on the pages. Invalid data for each is found by trying, and a browser then
sends the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from playwright.sync_api import Page

import scoring.services
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.refusals import short_error_responses
from tests.releases import walk
from tests.releases.database_contents import roll_back_afterwards
from tests.releases.forms import Form, parse_forms
from tests.worlds import ActivityScenario

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

SIZES = [{"width": 360, "height": 640}, {"width": 1366, "height": 768}]
SKIPPED_PATHS_PATTERN = re.compile(r"^/(admin|api)/|/logout/|/scheme/")
REFUSAL_PATTERN = re.compile(r"data-refusal|toast--error|field__error|aria-invalid")
MANY_LINES = "\n".join(f"line {number}" for number in range(15))

# Fill in a form without the browser's validation. Returns false if JavaScript submits it.
FILL_FORM_SCRIPT = """([number, data, button]) => {
    const form = document.forms[number];
    form.noValidate = true;
    for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details"))
        fold.open = true;
    for (const each of form.elements) {
        if (!(each.name in data) || !["INPUT", "TEXTAREA"].includes(each.tagName)) continue;
        if (["hidden", "submit", "file", "radio", "checkbox"].includes(each.type)) continue;
        if (each.tagName === "INPUT") each.type = "text";
        each.value = data[each.name];
    }
    const pressed = Array.from(form.elements).find(each => each.type === "submit"
        && (!button || (each.name === button[0] && each.value === button[1])));
    if (!pressed) return false;
    let isSent = false;
    const tryOut = event => { isSent = !event.defaultPrevented; event.preventDefault(); };
    addEventListener("submit", tryOut);
    form.requestSubmit(pressed);
    removeEventListener("submit", tryOut);
    window.sendForm = () => form.requestSubmit(pressed);
    return isSent;
}"""

# Return the fault of a page after a refusal as a word, or nothing.
REFUSAL_FAULT_SCRIPT = """path => {
    const isInWindow = (box, tall) => box.width > 0 && box.top >= 0 && box.left >= 0
        && box.left < innerWidth && (tall ? box.top + 24 : box.bottom) <= innerHeight;
    const isSeen = each => {
        const box = each.getBoundingClientRect();
        if (!isInWindow(box, box.height > innerHeight / 2)) return false;
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + 8);
        return Boolean(top) && (each.contains(top) || top.contains(each));
    };
    const messages = Array.from(document.querySelectorAll(
        "main [data-refusal], main .toast--error, main .field__error"));
    const found = [];
    if (!messages.some(isSeen)) found.push("no message in the window");
    const at = document.activeElement;
    const invalid = document.querySelector("main [aria-invalid=true]");
    const mine = Array.from(document.querySelectorAll("main form")).filter(form =>
        new URL(form.getAttribute("action") || "", location.href).pathname === path
        && Array.from(form.elements).some(each => each.type !== "hidden" && !each.disabled));
    if (!mine.length && !invalid) return found;
    if (!at.matches("input, textarea, select, button")) found.push("no control has the focus");
    else if (invalid && !at.matches("[aria-invalid=true]"))
        found.push("the focus is not on the invalid field but on " + at.outerHTML.slice(0, 90));
    else if (!invalid && !mine.includes(at.form))
        found.push("the focus is in another form: " + at.outerHTML.slice(0, 90));
    if (!isSeen(at) && at.type !== "textarea") found.push("the focus is out of the window");
    return found;
}"""


@dataclass(frozen=True)
class RefusedForm:
    """A form, and data that it does not accept."""

    form: Form
    data: dict[str, str]
    button: tuple[str, str] | None


@pytest.fixture
def world(transactional_db: None) -> ActivityScenario:
    """Create an open event, a planned one with sixteen pairs, a drive and a rubber night."""
    world = ActivityScenario()
    world.seat()
    world.begin()
    day = world.event.date
    planned_event = scoring.services.create_event(
        club=world.club, name="Next", date=day, by=world.user
    )
    names = ([f"Player {number} A", f"Player {number} B"] for number in range(16))
    evenings.enter_everybody(planned_event, names, world.user)
    return world


def test_every_refused_form_shows_its_error_and_focuses_the_field(
    open_visitor_page: PageOpener, world: ActivityScenario
) -> None:
    refused_forms = list(list_refused_forms(world.user))
    page = open_visitor_page(world.user)
    faults: list[Any] = []
    for size in SIZES:
        page.set_viewport_size(size)
        for refused_form in refused_forms:
            shown_errors = list_shown_errors(page, refused_form)
            faults += [
                (size["width"], refused_form.form.path, refused_form.data, fault)
                for fault in shown_errors
            ]
    assert len(refused_forms) > 60
    assert faults == []


def list_shown_errors(page: Page, refused_form: RefusedForm) -> list[str]:
    page.goto(refused_form.form.page)
    if not page.evaluate(
        FILL_FORM_SCRIPT, [refused_form.form.form_index, refused_form.data, refused_form.button]
    ):
        return []
    with page.expect_navigation():
        page.evaluate("sendForm()")
    return list(page.evaluate(REFUSAL_FAULT_SCRIPT, refused_form.form.path))


def list_refused_forms(user: User) -> Iterator[RefusedForm]:
    """Return each form once per route and button, with data that it does not accept."""
    client, seen_forms = Client(), set()
    client.force_login(user)
    for form in list_forms(client):
        for button in form.buttons or [None]:
            form_key = (resolve_route(form.path), button)
            if form_key in seen_forms:
                continue
            seen_forms.add(form_key)
            for data in list_bad_submissions(form):
                if _is_refused(client, form, data | dict([button] if button else [])):
                    yield RefusedForm(form, data, button)
                    break


def list_forms(client: Client) -> Iterator[Form]:
    paths = set()
    for page in walk.list_pages():
        if page.path in paths or SKIPPED_PATHS_PATTERN.search(page.path):
            continue
        paths.add(page.path)
        with short_error_responses():
            response = client.get(page.path)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code == 200 and is_page and not response.streaming:
            for form in parse_forms(page.path, response.content.decode()):
                if form.method == "post" and not SKIPPED_PATHS_PATTERN.search(form.path):
                    yield form


def list_bad_submissions(form: Form) -> Iterator[dict[str, str]]:
    """Yield data that a form should not accept: nothing, nonsense, and no change."""
    text_area_values = dict.fromkeys(form.text_area_names, MANY_LINES)
    yield form.initial_data | dict.fromkeys(form.texts, "nonsense") | text_area_values
    yield form.initial_data | dict.fromkeys(form.texts, "")
    yield form.initial_data


def _is_refused(client: Client, form: Form, data: dict[str, str]) -> bool:
    login = client.cookies.copy()
    with roll_back_afterwards(), short_error_responses():
        response: Any = client.post(form.path, data)
        if "messages" in response.cookies:
            response = client.get(response.url)
    client.cookies = login
    return bool(REFUSAL_PATTERN.search(response.content.decode()))


def resolve_route(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return path
