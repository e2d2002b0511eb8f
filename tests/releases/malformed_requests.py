"""Malformed requests to the whole site, drawn from a seed.

A request is drawn for a route, a method and a role, and gets a malformed path, query, header,
form, file or body.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.releases import walk
from tests.releases.damaged_files import build_damaged_file
from tests.releases.forms import Form, parse_forms

BACKUP_URL_PATTERN = re.compile("/backups/make/|/demo/remove/")
"""URLs that make a backup: it needs a second database, and a test may use only one."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
MALFORMED_TEXTS = (
    *("", " ", "0", "-1", "1", "13", "14", "7", "99999999999999999999", "9" * 400, "1e309"),
    *("1e30000000", "NaN", "1/0", "13/2", "0x10", "²", "٣", "\0", "\ud800", "\u202ex"),
    *("null", "true", "[]", "{}", "' OR 1=1 --", "<script>x</script>", "../../etc/passwd"),
    *("2026-02-30", "2026-11-17", "25:61", "A4", "=cmd|' /C calc'!A0", "%s%s%n", "1,2;3"),
    *("NS", "EW", "North", "compass", "howell", "revoke", "a\r\nSet-Cookie: x=1", "x" * 5000),
    *("é" * 300, "e\u0301", "İ", "{{ 7*7 }}", "${7*7}", "javascript:alert(1)", "//example.org"),
)
MALFORMED_BODIES = (
    *(b"", b"{", b"[1]", b'"x"', b"null", b"NaN", b"\xff\xfe{", b"\0", b'{"a": 1, "a": 2}'),
    *(b"[" * 50_000, b'{"ns_tricks": 1e999}', b'{"\\ud800": 1}', b'{"name": "\\u0000"}'),
    *(b"a=%ff&b=%00", b"a" * 100_000, b"--x\r\nContent-Disposition: form-data\r\n\r\n--x--"),
)
BODY_TYPES = (
    *("application/json", "application/x-www-form-urlencoded", "multipart/form-data"),
    *(
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "",
        "\0",
        "x/y; charset",
    ),
    *(
        "application/json; charset=utf-16",
        "text/html; charset=no-such",
        "multipart/form-data; a",
    ),
)
HEADERS: Mapping[str, Sequence[str]] = {
    "ACCEPT": ("", "*/*;q=x", "application/json", "text/html", "a" * 5000, "\0"),
    "ACCEPT_LANGUAGE": ("nl", "xx-yy-zz", "nl;q=9", "," * 600, "a" * 5000, "../nl"),
    "AUTHORIZATION": ("Bearer", "Bearer x", "Token x", "Basic eA==", "Bearer \xff", "Bearer"),
    "COOKIE": ("sessionid=x", "language=../x", "csrftoken", "=;=", "me=\xff", "a" * 5000),
    "HOST": ("example.org", "localhost:x", "[::1", "a" * 300, "localhost\0", "127.0.0.1:99999"),
    "HX_REQUEST": ("true", "x"),
    "HX_CURRENT_URL": ("http://[", "javascript:x", "\0", "http://testserver/%ff"),
    "IF_MODIFIED_SINCE": ("x", "Sun, 99 Foo 9999 99:99:99 GMT"),
    "IF_NONE_MATCH": ("*", '"', 'W/"x"', "a" * 5000),
    "ORIGIN": ("null", "https://example.org", "http://["),
    "RANGE": ("bytes=9-1", "bytes=-", "x"),
    "REFERER": ("http://[", "https://example.org/x", "\0", "a" * 5000),
    "X_FORWARDED_FOR": ("x", "1.2.3.4, \0", "::1", "," * 600),
    "X_FORWARDED_PROTO": ("https", "x"),
    "X_REQUEST_ID": ("x" * 200, "\0", "a\nb"),
}  # fmt: skip
QUERY_NAMES = (
    *("q", "page", "seen", "session", "section", "round", "board", "pair", "sort", "format"),
    *(
        "next",
        "table",
        "hand",
        "club",
        "year",
        "month",
        "kind",
        "size",
        "again",
        "of",
        "",
        "\0",
    ),
)


@dataclass(frozen=True, slots=True)
class DrawnRequest:
    """One request: the role that sends it, and what it sends."""

    role: str
    method: str
    path: str
    data: Any = None
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    sends_token: bool = False

    def send(self, client: Client, address: str, token: str) -> Any:
        """Send it with a browser, from an IP address; return the response."""
        request_options: dict[str, Any] = {"REMOTE_ADDR": address}
        request_options |= {
            name if name.startswith("CONTENT") else f"HTTP_{name}": value
            for name, value in self.headers.items()
        }
        if self.sends_token and token:
            request_options["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if isinstance(self.data, bytes):
            return client.generic(
                self.method, self.path, self.data, self.content_type, **request_options
            )
        if self.data is not None:
            send = client.post if self.method == "POST" else client.get
            return send(self.path, self.data, **request_options)
        return client.generic(self.method, self.path, **request_options)

    def __str__(self) -> str:
        data_text = str(self.data)[:400] if self.data is not None else ""
        path_text = self.path[:200]
        return f"{self.role} {self.method} {path_text!a} {data_text!a} {dict(self.headers)!a}"


class RequestSource:
    """Draws requests to the URLs, forms and API calls of the site."""

    def __init__(self, rng: random.Random, clients: Mapping[str, Client]) -> None:
        self.rng = rng
        self.pages = [
            page for page in walk.list_pages() if not BACKUP_URL_PATTERN.search(page.path)
        ]
        self.paths: dict[str, list[str]] = {}
        for page in self.pages:
            route = page.route if page.route != walk.LINK_ROUTE else page.path
            self.paths.setdefault(route, []).append(page.path)
        self.forms = list(self._list_forms(clients["owner"]))
        self.calls = list(_list_api_calls(self.pages))
        self.roles = list(clients)
        self.plan = [
            (route, method, role)
            for route in self.paths
            for method in METHODS
            for role in self.roles
        ]
        rng.shuffle(self.plan)

    def draw_planned_requests(self) -> Iterator[DrawnRequest]:
        """Draw a request for each route, method and role, in random order."""
        for route, method, role in self.plan:
            yield self._draw_page(role, method, self.rng.choice(self.paths[route]))

    def draw_random_request(self) -> DrawnRequest:
        """Draw a request with a form, an API call, or a malformed URL."""
        role = self.rng.choice(self.roles)
        random_number = self.rng.randrange(8)
        if random_number < 4 and self.forms:
            return self._draw_form(role)
        if random_number < 6:
            return self._draw_api_request(role)
        path = self.rng.choice(self.pages).path
        method = self.rng.choice(METHODS[:1] * 6 + METHODS)
        return self._draw_page(role, method, self._change_path(path))

    def _draw_page(self, role: str, method: str, path: str) -> DrawnRequest:
        names = self.rng.sample(QUERY_NAMES, self.rng.choice((0, 0, 1, 2)))
        query = "&".join(f"{quote(name)}={self._draw_quoted_text()}" for name in names)
        path = f"{path}?{query}" if query else path
        headers = self._draw_headers()
        if method in ("GET", "HEAD", "OPTIONS", "TRACE"):
            return DrawnRequest(role, method, path, headers=headers)
        body, kind = self.rng.choice(MALFORMED_BODIES), self.rng.choice(BODY_TYPES)
        has_token = "/api/" in path and self.rng.random() < 0.5
        return DrawnRequest(role, method, path, body, kind, headers, has_token)

    def _draw_headers(self) -> dict[str, str]:
        names = self.rng.sample(sorted(HEADERS), self.rng.choice((0, 0, 0, 1, 2)))
        return {name: self.rng.choice(HEADERS[name]) for name in names}

    def _change_path(self, path: str) -> str:
        if self.rng.random() < 0.4:
            return path
        path_parts = path.split("/")
        place = self.rng.randrange(1, len(path_parts))
        path_parts[place] = self.rng.choice((path_parts[place] + "x", self._draw_quoted_text()))
        return "/".join(path_parts)

    def _draw_quoted_text(self) -> str:
        return quote(self.rng.choice(MALFORMED_TEXTS)[:400].encode("utf-8", "surrogatepass"))

    def _draw_form(self, role: str) -> DrawnRequest:
        form = self.rng.choice(self.forms)
        data: dict[str, Any] = dict(form.initial_data)
        names = sorted(set(form.typed))
        for name in self.rng.sample(names, min(len(names), 2)):
            data[name] = self._draw_changed_value(data.get(name, ""))
        for name in form.files:
            data[name] = SimpleUploadedFile(
                self.rng.choice(("file", "a.csv", "a.xlsx", "../a.png", "é" * 90)),
                build_damaged_file(self.rng),
            )
        if form.buttons:
            data |= dict([self.rng.choice(form.buttons)])
        if data and self.rng.random() < 0.1:
            del data[self.rng.choice(sorted(data))]
        return DrawnRequest(
            role, form.method.upper(), form.path, data, headers=self._draw_headers()
        )

    def _draw_changed_value(self, original_text: str) -> Any:
        text = self.rng.choice(MALFORMED_TEXTS).replace("\ud800", "?")
        return self.rng.choice(
            (text, text, original_text + text, [original_text, text], original_text)
        )

    def _draw_api_request(self, role: str) -> DrawnRequest:
        path, method, names = self.rng.choice(self.calls)
        body = {name: self._draw_value() for name in names if self.rng.random() < 0.8}
        content = self.rng.choice((*MALFORMED_BODIES, *[json.dumps(body).encode()] * 90))
        return DrawnRequest(role, method, path, content, "application/json", sends_token=True)

    def _draw_value(self, depth: int = 0) -> Any:
        kind = self.rng.randrange(9 if depth < 3 else 6)
        if kind < 3:
            return self.rng.choice(MALFORMED_TEXTS)
        if kind < 6:
            return self.rng.choice((None, True, 0, 1, -1, 7, 13, 14, 2**63, 10**40, 0.5))
        if kind < 8:
            return [self._draw_value(depth + 1) for _ in range(self.rng.randrange(4))]
        return {self.rng.choice(QUERY_NAMES): self._draw_value(depth + 1)}

    def _list_forms(self, client: Client) -> Iterator[Form]:
        """Read the forms of a page of each route as an owner sees them."""
        known_keys = set()
        for paths in self.paths.values():
            response = client.get(self.rng.choice(paths))
            is_page = response.headers.get("Content-Type", "").startswith("text/html")
            if response.status_code != 200 or not is_page or response.streaming:
                continue
            for form in parse_forms(response.request["PATH_INFO"], response.content.decode()):
                form_key = (re.sub(r"[0-9]+", "0", form.path), form.method, *form.typed)
                is_empty = not (form.typed or form.files or form.buttons)
                if (
                    not is_empty
                    and form_key not in known_keys
                    and not BACKUP_URL_PATTERN.search(form.path)
                ):
                    known_keys.add(form_key)
                    yield form


def _list_api_calls(pages: Sequence[walk.Page]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the path, method and fields of each API call that sends data."""
    schema = SchemaGenerator().get_schema(public=True)
    schemas = schema["components"]["schemas"]
    paths = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{page.route}"): page.path for page in pages
    }
    for path, calls in schema["paths"].items():
        for method, call in calls.items():
            if method in ("post", "put", "patch", "delete") and path in paths:
                yield paths[path], method.upper(), sorted(_list_call_fields(call, schemas))


def _list_call_fields(call: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    names: set[str] = set()
    for content in call.get("requestBody", {}).get("content", {}).values():
        schema = content.get("schema", {})
        reference = schema.get("$ref", "").rpartition("/")[2]
        names |= set(schemas.get(reference, schema).get("properties", {}))
    return names
