"""The Django admin of board sets, which shows no cards."""

from django.contrib import admin
from django.http import HttpRequest

from boards.models import BoardSet

LIST_COLUMNS = ("name", "source", "state", "made", "size", "created_at")


@admin.register(BoardSet)
class BoardSetAdmin(admin.ModelAdmin[BoardSet]):
    """The admin of board sets, which shows their progress but no secret or deal (rules D2)."""

    list_display = LIST_COLUMNS
    fields = (*LIST_COLUMNS, "first", "error", "commitment", "public_value")
    readonly_fields = (*LIST_COLUMNS, "first", "error", "commitment", "public_value")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False, because the director of an event creates its board sets."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Return False, because only the services may change a board set."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Return False, because deals that were played are never deleted."""
        return False
