"""Parsing of API request bodies: JSON that the database can store."""

import json
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StorableJSONParser(JSONParser):
    """A JSON parser that refuses unpaired surrogates, NUL characters and deep nesting."""

    def parse(self, stream: Any, *args: Any, **kwargs: Any) -> Any:
        """Parse a request body; raise ParseError for text that the database cannot store."""
        try:
            parsed_body = super().parse(stream, *args, **kwargs)
            json.dumps(parsed_body, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(
                _("The JSON is nested too deeply. Send one plain object.")
            ) from None
        except UnicodeEncodeError:
            raise ParseError(
                _("The text contains an invalid character. Send valid UTF-8.")
            ) from None
        return parsed_body
