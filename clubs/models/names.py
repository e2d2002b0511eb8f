"""The model field for people's names, which are stored in composed Unicode form (NFC)."""

import unicodedata
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:  # the class is not generic at run time
    BaseCharField = models.CharField[str, str]
else:
    BaseCharField = models.CharField


class NameField(BaseCharField):
    """A text field that stores its value in composed Unicode form, for reliable comparison.

    Services also clean names with `clubs.names.tidy`. This field covers all other ways to
    write a row.
    """

    def deconstruct(self) -> Any:
        """Return the field as a plain text field for migrations."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def to_python(self, value: Any) -> Any:
        """Return a value from a form or from `full_clean` in composed Unicode form (NFC)."""
        return _normalize_to_nfc(super().to_python(value))

    def get_prep_value(self, value: Any) -> Any:
        """Return a value for a query in composed Unicode form."""
        return _normalize_to_nfc(super().get_prep_value(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the composed value for the database, and set it on the object as well."""
        value = _normalize_to_nfc(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value


def _normalize_to_nfc(value: Any) -> Any:
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value
