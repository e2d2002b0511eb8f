"""A missing attribute of a dataclass is found, a missing key of a dictionary is not."""

from dataclasses import dataclass

import pytest
from django.template import Context, Template

from tests.template_attributes import LOGGER, MissingAttributes


@dataclass(frozen=True)
class Row:
    """A row with one attribute."""

    name: str = "Ann"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ row.title }}", ["unknown: Row has no title"]),
        ("{% if row.title and row.name %}{% endif %}", ["unknown: Row has no title"]),
        ("{{ row.name }} {{ missing }} {{ data.title }}", []),
    ],
)
def test_missing_template_attribute_is_reported(text: str, expected: list[str]) -> None:
    missing_attributes = MissingAttributes()
    original_filters, LOGGER.filters = LOGGER.filters, [missing_attributes]
    Template(text).render(Context({"row": Row(), "data": {}}))
    LOGGER.filters = original_filters
    assert missing_attributes.descriptions == expected
