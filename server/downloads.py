"""Build responses with a file, which the browser saves or shows."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse

CSV_CONTENT_TYPE, PDF_CONTENT_TYPE = "text/csv; charset=utf-8", "application/pdf"


def build_file_response(
    content: bytes | str, content_type: str, file_name: str, *, is_inline: bool = False
) -> HttpResponse:
    """Return a response with a file that the browser saves, or shows if `is_inline`."""
    disposition = "inline" if is_inline else "attachment"
    headers = {"Content-Disposition": f'{disposition}; filename="{file_name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def build_json_response(data: Mapping[str, Any], file_name: str) -> HttpResponse:
    """Return a response with indented JSON that the browser saves as a file."""
    json_text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return build_file_response(json_text, "application/json", file_name)
