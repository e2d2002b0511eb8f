"""The model field of a person's name, stored in composed Unicode form."""

import unicodedata
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:  # the class has no parameters at run time
    Text = models.CharField[str, str]
else:
    Text = models.CharField


class NameField(Text):
    """Text stored in composed form (NFC), so that equal names compare equal.

    Services clean names as well (`clubs.names.tidy`); this covers all other writes.
    """

    def deconstruct(self) -> Any:
        """Describe the column to migrations as plain text."""
        name, _path, given, options = super().deconstruct()
        return name, "django.db.models.CharField", given, options

    def to_python(self, value: Any) -> Any:
        """Compose the input of a form or of `full_clean`."""
        return _compose(super().to_python(value))

    def get_prep_value(self, value: Any) -> Any:
        """Compose a value for a query."""
        return _compose(super().get_prep_value(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Compose the stored value, on the object too."""
        value = _compose(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value


def _compose(value: Any) -> Any:
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value
