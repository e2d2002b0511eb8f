"""Windows of WebKit, which Playwright drives only in builds of its own, through Selenium."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver
    from selenium.webdriver.remote.webelement import WebElement

    from server.models import User

TIMEOUT_SECONDS = 15
MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
ENGINES = ("WebKitGTK", "WPEWebKit")


@dataclass(frozen=True)
class Window:
    """A browser window. Each method waits until the page has what it looks for."""

    driver: "WebDriver"
    base_url: str

    def open(self, path: str) -> None:
        self.driver.get(self.base_url + path)

    def find(self, selector: str, text: str = "") -> "WebElement":
        """Return the first visible element of a CSS selector that contains a text."""
        return self.wait(lambda: self.find_all(selector, text)[0])

    def find_all(self, selector: str, text: str = "") -> list["WebElement"]:
        """Return the elements that are visible now."""
        return [
            element
            for element in self.driver.find_elements("css selector", selector)
            if text in " ".join(element.get_property("textContent").split())
            and element.is_displayed()
        ]

    def click(self, selector: str, text: str = "") -> None:
        def scroll_and_click() -> bool:
            element = self.find_all(selector, text)[0]
            # WebKit's driver leaves an element below the window where it is.
            self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
            element.click()
            return True

        self.wait(scroll_and_click)

    def fill(self, label: str, text: str) -> None:
        """Type a text into the field of a label."""

        def type_text() -> bool:
            field = self._find_field(label)
            field.click()
            field.clear()
            field.send_keys(text)
            # On a busy machine WPE moves the caret after the first character.
            return field.get_property("value") == text

        self.wait(type_text)

    def choose(self, label: str, value: str) -> None:
        """Select the option with a value: WebKit has no list to click without a window."""
        script = """const [field, value] = arguments;
            field.value = value;
            field.dispatchEvent(new Event("change", { bubbles: true }));"""
        self.run(script, self._find_field(label), value)

    def press(self, *keys: str) -> None:
        """Press keys in the element that has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def wait_for_text(self, text: str) -> None:
        """Wait until a text is visible."""
        self.wait(lambda: text in self.read_text())

    def read_text(self) -> str:
        """Return the visible text of the page."""
        return " ".join(self.run("return document.body.innerText").split())

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def sign_in(self, user: "User") -> None:
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        self.open("/robots.txt")  # a cookie needs a page of its site
        self.driver.add_cookie({"name": name, "value": client.cookies[name].value})

    def _find_field(self, label: str) -> "WebElement":
        return self.find("#" + self.find("label", label).get_attribute("for"))

    def wait(self, look: Callable[[], Any]) -> Any:
        """Repeat a look until its result is true, and return that."""
        from selenium.common.exceptions import TimeoutException, WebDriverException
        from selenium.webdriver.support.wait import WebDriverWait

        # An update may remove an element between the search for it and its use.
        ignored_exceptions = [WebDriverException, IndexError]
        driver_wait = WebDriverWait(self.driver, TIMEOUT_SECONDS, 0.1, ignored_exceptions)
        try:
            return driver_wait.until(lambda _driver: look())
        except TimeoutException:
            pytest.fail(f"Not found at {self.driver.current_url}:\n{self.read_text()}")


@contextmanager
def open_window(engine: str, home: str) -> Iterator[Window]:
    """Open a window of an engine in a fresh profile, or skip the test."""
    pytest.importorskip("selenium", reason="needs selenium: docs/testing.md")
    start = _start_gtk if engine == "WebKitGTK" else _start_wpe
    driver = start()
    try:
        yield Window(driver, home)
    finally:
        driver.quit()


def _start_gtk() -> "WebDriver":
    from selenium.webdriver import WebKitGTK, WebKitGTKOptions, WebKitGTKService

    service = WebKitGTKService(find_program("WebKitWebDriver", "webkit2gtk-driver"))
    if "DISPLAY" not in os.environ:
        pytest.skip("WebKitGTK needs a display: xvfb-run")
    options = WebKitGTKOptions()
    options.binary_location = MINI_BROWSER
    options.add_argument("--automation")
    return WebKitGTK(options, service)


def _start_wpe() -> "WebDriver":
    from selenium.webdriver import WPEWebKit, WPEWebKitOptions, WPEWebKitService

    service = WPEWebKitService(find_program("WPEWebDriver", "wpewebkit-driver"))
    options = WPEWebKitOptions()
    options.binary_location = find_program("cog", "cog")
    options.add_argument("--automation")
    options.add_argument("--platform=headless")
    options.set_capability("browserName", "cog")
    return WPEWebKit(options, service)


def find_program(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} was not found. Install it (Debian: {package}).")
    return path
