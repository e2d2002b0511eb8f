"""The footers of papers are in the club's language."""

import pytest
from django.utils import translation
from django.utils.translation import gettext


@pytest.mark.parametrize(
    ("language", "footer"),
    [
        ("en", "page 1 of 2"),
        ("nl", "pagina 1 van 2"),
        ("da", "side 1 af 2"),
        ("de", "Seite 1 von 2"),
        ("fr", "page 1 sur 2"),
        ("sv", "sida 1 av 2"),
        ("nb", "side 1 av 2"),
        ("es", "página 1 de 2"),
    ],
)
def test_page_numbers_on_papers_are_translated(language: str, footer: str) -> None:
    with translation.override(language):
        assert gettext("page %(number)d of %(pages)d") % {"number": 1, "pages": 2} == footer
