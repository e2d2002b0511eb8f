"""What an address asks, freed of what no database keeps."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


def forget_nul(get_response: Answer) -> Answer:
    """Take NUL out of what an address asks: nobody types it, and PostgreSQL refuses it."""

    def answer(request: HttpRequest) -> HttpResponse:
        asked = request.META.get("QUERY_STRING", "")
        if "%00" in asked:
            request.META["QUERY_STRING"] = asked.replace("%00", "")
        return get_response(request)

    return answer
