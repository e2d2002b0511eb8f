from dataclasses import dataclass, replace

import pytest

from server.translation import TranslatedField
from tests.languages import activate_marked_language


@dataclass(frozen=True)
class Law:
    number: int
    title: TranslatedField = TranslatedField()
    note: TranslatedField = TranslatedField("")
    source: str = "Hoyle"


def test_a_field_is_translated_whenever_it_is_read():
    law = Law(3, "Dealing")
    assert (law.title, law.note) == ("Dealing", "")
    with activate_marked_language():
        assert (law.title, law.note, law.source) == ("«Dealing»", "", "Hoyle")
    assert law == Law(3, "Dealing")


def test_a_copy_of_a_field_keeps_what_was_written(marked_language):
    assert replace(Law(3, "Dealing"), number=4).title == "«Dealing»"


def test_a_field_without_words_is_missed():
    with pytest.raises(TypeError, match="title"):
        Law(3)
