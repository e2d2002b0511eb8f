"""A passkey is created, and is used alone and after a password."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PageOpener
from tests.browser.test_accessibility import find_faults_at, find_page_faults
from tests.doors.visitors import PASSWORD, create_login, list_app_codes, list_factor_kinds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


def add_virtual_passkey(page: Page) -> None:
    """Add a virtual authenticator to a browser that always consents."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    authenticator_options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": authenticator_options})


def sign_in_with_password(page: Page) -> None:
    """Sign in with name and password."""
    page.goto("/login/")
    page.get_by_label("Name").fill("director")
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in", exact=True).click()


def test_passkey_is_added_used_and_removed(
    open_visitor_page: PageOpener, settings: Any, live_server: Any
) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    settings.SESSION_COOKIE_SECURE = True  # as on every server; browsers refuse __Host- without
    user = create_login()
    page = open_visitor_page()
    add_virtual_passkey(page)
    sign_in_with_password(page)
    page.goto("/director/account/")
    page.get_by_role("link", name="Two-step sign-in").click()
    assert find_page_faults(page) == []
    page.get_by_role("link", name="Add passkey").click()
    page.get_by_label("Name").fill("My telephone")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert list_factor_kinds(user) == ["recovery_codes", "webauthn"]
    assert find_page_faults(page) == []

    page.context.clear_cookies()
    page.goto("/login/")
    with page.expect_navigation(url="**/director/"):
        page.get_by_role("button", name="Sign in with a passkey").click()

    page.context.clear_cookies()
    sign_in_with_password(page)
    expect(page.get_by_role("heading", name="Two-step sign-in")).to_be_visible()
    assert find_page_faults(page) == []
    with page.expect_navigation(url="**/director/"):
        page.get_by_role("button", name="Use passkey").click()

    page.goto("/director/account/again/passkey/?next=/director/account/factors/")
    with page.expect_navigation(url="**/director/account/factors/"):
        page.get_by_role("button", name="Use passkey").click()
    page.get_by_role("link", name="Remove My telephone").click()
    page.get_by_role("button", name="Yes, remove “My telephone”").click()
    expect(page.get_by_text("Two-step sign-in is off.")).to_be_visible()
    assert list_factor_kinds(user) == []


def test_authenticator_app_is_added_manually_on_accessible_pages(
    open_visitor_page: PageOpener, settings: Any
) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    user = create_login()
    page = open_visitor_page(phone=True)
    sign_in_with_password(page)
    base_url = "/director/account/"
    pages = ["", "factors/", "factors/app/", "factors/passkeys/add/", "tokens/", "devices/"]
    assert [
        fault for one_page in pages for fault in find_faults_at(page, base_url + one_page)
    ] == []
    page.goto(f"{base_url}factors/app/")
    secret = page.locator("code.token").inner_text().replace(" ", "")
    page.get_by_label("Code from the app").fill(list_app_codes(secret)[1])
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert find_page_faults(page) == []
    assert list_factor_kinds(user) == ["recovery_codes", "totp"]
