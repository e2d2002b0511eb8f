"""Board sets for the machine's keeper: what can be seen without seeing a card."""

from django.contrib import admin
from django.http import HttpRequest

from boards.models import BoardSet

SHOWN = ("name", "source", "state", "made", "size", "created_at")


@admin.register(BoardSet)
class BoardSetAdmin(admin.ModelAdmin[BoardSet]):
    """Show how far a set is; neither its secret nor its deals (rules D2)."""

    list_display = SHOWN
    fields = (*SHOWN, "first", "error", "commitment", "public_value")
    readonly_fields = (*SHOWN, "first", "error", "commitment", "public_value")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: a set is made by an event's director."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Refuse: a set changes only through the services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: BoardSet | None = None) -> bool:
        """Refuse: deals that were played are kept."""
        return False
