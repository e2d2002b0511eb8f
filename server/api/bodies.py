"""Bodies of requests to the API: JSON that a database can keep."""

import json
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Body(JSONParser):
    """JSON of whole letters, and nested no deeper than the machine can follow."""

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        """Read a body; what nobody can keep or send back is refused before anyone looks."""
        try:
            found = super().parse(stream, *args, **kwargs)
            json.dumps(found, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(
                _("This body is nested too deep. Send one plain object.")
            ) from None
        except UnicodeEncodeError:
            raise ParseError(
                _("This body holds half a letter. Send text of whole letters.")
            ) from None
        return found
