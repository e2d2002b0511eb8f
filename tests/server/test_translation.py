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


def test_field_is_translated_on_each_read():
    law = Law(3, "Dealing")
    assert (law.title, law.note) == ("Dealing", "")
    with activate_marked_language():
        assert (law.title, law.note, law.source) == ("«Dealing»", "", "Hoyle")
    assert law == Law(3, "Dealing")


def test_copied_dataclass_keeps_translated_field(use_marked_language):
    assert replace(Law(3, "Dealing"), number=4).title == "«Dealing»"


def test_missing_translated_field_raises_type_error():
    with pytest.raises(TypeError, match="title"):
        Law(3)
