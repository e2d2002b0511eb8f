"""The parsing and formatting of amounts of table money.

An amount is a whole number of the currency's smallest coins: 350 means £3.50 or ¥350.
"""

import re

from django.utils.translation import gettext as _

from server.formatting import localize_decimal

CURRENCIES = {
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


def parse_amount(typed_amount: str, currency: str) -> int:
    """Return a typed amount as a number of smallest coins: 350 for "3.50", "3,50" or "£3.50".

    Raises InvalidAmount for other texts, and for an amount above MAX_AMOUNT.
    """
    match = AMOUNT_PATTERN.fullmatch(
        typed_amount.strip().removeprefix(CURRENCIES.get(currency, "")).strip()
    )
    if match is None or (match[2] and currency in CURRENCIES_WITHOUT_MINOR_UNIT):
        message = _("“%(typed)s” isn’t an amount. Enter it as 3 or 3.50.")
        raise InvalidAmount(message % {"typed": typed_amount.strip()[:20]})
    amount = int(match[1])
    if currency not in CURRENCIES_WITHOUT_MINOR_UNIT:
        amount = amount * 100 + int((match[2] or "0").ljust(2, "0"))
    if amount > MAX_AMOUNT_MINOR_UNITS:
        raise InvalidAmount(_("This amount is too large."))
    return amount


def format_plain_amount(amount: int, currency: str) -> str:
    """Return an amount without a currency sign for forms and files: "3.50" for 350."""
    if currency in CURRENCIES_WITHOUT_MINOR_UNIT:
        return str(amount)
    sign, amount = ("-" if amount < 0 else ""), abs(amount)
    return f"{sign}{amount // 100}.{amount % 100:02d}"


def format_amount(amount: int, currency: str) -> str:
    """Return an amount with its currency sign for readers: "£3.50"."""
    sign = CURRENCIES.get(currency, currency)
    space = " " if len(sign) > 1 else ""
    return f"{sign}{space}{localize_decimal(format_plain_amount(amount, currency))}"
