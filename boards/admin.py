"""Admin of board sets for the server's administrator; no card is visible."""

from django.contrib import admin
from django.http import HttpRequest

from boards.models import BoardSet

SHOWN = ("name", "source", "state", "made", "size", "created_at")


@admin.register(BoardSet)
class BoardSetAdmin(admin.ModelAdmin[BoardSet]):
    """Show the progress of a set, but neither its secret nor its deals (rules D2)."""

    list_display = SHOWN
    fields = (*SHOWN, "first", "error", "commitment", "public_value")
    readonly_fields = (*SHOWN, "first", "error", "commitment", "public_value")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: an event's director creates the set."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Refuse: a set is changed only through the services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Refuse: played deals are not deleted."""
        return False
