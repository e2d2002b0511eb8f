"""The parsing and formatting of amounts of table money.

An amount is a whole number of the currency's smallest coins: 350 means £3.50 or ¥350.
"""

import re

from django.utils.translation import gettext as _

from server.formatting import localize_decimal

CURRENCY_SIGNS_BY_CODE = {
    "GBP": "£", "EUR": "€", "USD": "$", "AUD": "$", "CAD": "$", "NZD": "$", "CHF": "CHF",
    "DKK": "kr", "NOK": "kr", "SEK": "kr", "PLN": "zł", "CZK": "Kč", "ZAR": "R", "INR": "₹",
    "JPY": "¥",
}  # fmt: skip
"""The sign of each supported currency, by its ISO 4217 code."""
CURRENCIES_WITHOUT_MINOR_UNIT = {"JPY"}
"""The currencies without a smaller coin."""
MAX_AMOUNT_MINOR_UNITS = 100_000  # 1,000 pounds, or 100,000 yen
AMOUNT_PATTERN = re.compile(r"(\d{1,6})(?:[.,](\d{1,2}))?", re.ASCII)


class InvalidAmount(ValueError):
    """An invalid amount of money, with a message for users."""


def parse_amount(typed_amount: str, currency_code: str) -> int:
    """Return a typed amount as a number of smallest coins: 350 for "3.50", "3,50" or "£3.50".

    Raises InvalidAmount for other texts, and for an amount above MAX_AMOUNT_MINOR_UNITS.
    """
    amount_match = AMOUNT_PATTERN.fullmatch(
        typed_amount.strip().removeprefix(CURRENCY_SIGNS_BY_CODE.get(currency_code, "")).strip()
    )
    if amount_match is None or (
        amount_match[2] and currency_code in CURRENCIES_WITHOUT_MINOR_UNIT
    ):
        message = _("“%(typed)s” isn’t an amount. Enter it as 3 or 3.50.")
        raise InvalidAmount(message % {"typed": typed_amount.strip()[:20]})
    minor_units = int(amount_match[1])
    if currency_code not in CURRENCIES_WITHOUT_MINOR_UNIT:
        minor_units = minor_units * 100 + int((amount_match[2] or "0").ljust(2, "0"))
    if minor_units > MAX_AMOUNT_MINOR_UNITS:
        raise InvalidAmount(_("This amount is too large."))
    return minor_units


def format_plain_amount(minor_units: int, currency_code: str) -> str:
    """Return an amount without a currency sign for forms and files: "3.50" for 350."""
    if currency_code in CURRENCIES_WITHOUT_MINOR_UNIT:
        return str(minor_units)
    sign, minor_units = ("-" if minor_units < 0 else ""), abs(minor_units)
    return f"{sign}{minor_units // 100}.{minor_units % 100:02d}"


def format_amount(minor_units: int, currency_code: str) -> str:
    """Return an amount with its currency sign for readers: "£3.50"."""
    sign = CURRENCY_SIGNS_BY_CODE.get(currency_code, currency_code)
    space = " " if len(sign) > 1 else ""
    return f"{sign}{space}{localize_decimal(format_plain_amount(minor_units, currency_code))}"
