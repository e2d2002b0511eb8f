"""Admin of board sets for the server's administrator; no card is visible."""

from django.contrib import admin
from django.http import HttpRequest

from boards.models import BoardSet

SHOWN = ("name", "source", "state", "made", "size", "created_at")


@admin.register(BoardSet)
class BoardSetAdmin(admin.ModelAdmin[BoardSet]):
    """Admin of board sets: it shows their progress, but no secret and no deals (rules D2)."""

    list_display = SHOWN
    fields = (*SHOWN, "first", "error", "commitment", "public_value")
    readonly_fields = (*SHOWN, "first", "error", "commitment", "public_value")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: the director of an event creates board sets."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Return False: a set is changed only through the services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Return False: deals that were played are never deleted."""
        return False
