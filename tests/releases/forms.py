"""The forms of the site, parsed as by a browser: their data and their URLs."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

TYPED_INPUT_TYPES = {"", "text", "number", "search", "tel", "hidden", "date", "time", "email"}
FIELD_TAGS = {"input", "select", "textarea", "button"}


@dataclass
class Form:
    """One form: its URL, its method, and its data when nothing is changed."""

    path: str
    method: str
    page: str = ""
    """The URL of the page that has it."""
    form_index: int = 0
    """Its index among the forms of the page, from 0."""
    initial_data: dict[str, str] = field(default_factory=dict)
    typed: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    """The type of each input by its name, or "textarea" or "select"."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """The name and value of each submit button that has a name."""

    @property
    def text_area_names(self) -> list[str]:
        """Return the names of its text areas."""
        return [name for name, input_type in self.kinds.items() if input_type == "textarea"]

    @property
    def files(self) -> list[str]:
        """Return the names of its file inputs."""
        return [name for name, kind in self.kinds.items() if kind == "file"]

    @property
    def texts(self) -> list[str]:
        """Return the names of the fields in which one can type."""
        return [
            name for name, kind in self.kinds.items() if kind in TYPED_INPUT_TYPES - {"hidden"}
        ]

    def with_one(self, name: str, value: str) -> dict[str, str]:
        """Return its data with one field changed."""
        return self.initial_data | {name: value}


def parse_forms(page: str, html: str) -> list[Form]:
    """Return the forms of a page at a URL."""
    reader = _FormParser(page)
    reader.feed(html)
    reader.close()
    return reader.forms


class _FormParser(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.forms: list[Form] = []
        self._known: dict[str, Form] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values_by_name = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._begin(values_by_name)
        elif tag == "option" and self._select:
            self._add_option(values_by_name)
        elif self.forms and tag in FIELD_TAGS and values_by_name.get("name"):
            form = self._known.get(values_by_name.get("form", ""), self.forms[-1])
            self._select = values_by_name["name"] if tag == "select" else self._select
            self._add_field(form, tag, values_by_name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""

    def _begin(self, attributes: dict[str, str]) -> None:
        path = urljoin(self.page, attributes.get("action") or self.page)
        method = attributes.get("method", "get").lower()
        form = Form(urlsplit(path).path, method, self.page, len(self.forms))
        self.forms.append(form)
        if "id" in attributes:
            self._known[attributes["id"]] = form

    def _add_option(self, given: dict[str, str]) -> None:
        sent = self.forms[-1].initial_data
        if "selected" in given or self._select not in sent:
            sent[self._select] = given.get("value", "")

    def _add_field(self, form: Form, tag: str, given: dict[str, str]) -> None:
        kind = given.get("type", "submit" if tag == "button" else "").lower()
        name = given["name"]
        is_unchecked = kind in ("checkbox", "radio") and "checked" not in given
        if name.startswith("csrf") or is_unchecked:
            return
        if kind == "submit":
            form.buttons.append((name, given.get("value", "")))
            return
        form.kinds[name] = kind if tag == "input" else tag
        if kind not in ("button", "file", "password"):
            form.typed.append(name)
            if tag != "select":
                form.initial_data[name] = given.get("value", "on" if kind else "")


def list_distinct_fields(
    forms: Iterable[Form], route: Callable[[str], str]
) -> Iterable[tuple[Form, str]]:
    """Yield each field of each form once per route, in order of occurrence.

    Names that differ only in a number are one field: a play has fifty-two for its cards.
    """
    keys = set()
    for form in forms:
        for name in form.typed:
            field_key = (route(form.path), form.method, re.sub(r"[0-9]+", "", name))
            if field_key not in keys:
                keys.add(field_key)
                yield form, name
