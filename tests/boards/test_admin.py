"""The admin's pages show the progress of a set, and never a card or a secret."""

import pytest
from django.contrib import admin

from boards import batches, services
from boards.models import Board, BoardSet

pytestmark = pytest.mark.django_db


def test_admin_shows_a_board_set_read_only_and_without_its_secret(rf, admin_user):
    board_set = services.create_board_set(name="Tuesday", board_count=2)
    batches.deal_missing_boards(board_set)
    page = admin.site.get_model_admin(BoardSet)
    request = rf.get("/")
    request.user = admin_user
    response = page.change_view(request, str(board_set.pk))
    html = response.render().content.decode()
    assert board_set.commitment in html
    assert bytes(board_set.secret).hex() not in html
    assert not any(board.deal[2:] in html for board in board_set.boards.all())
    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request, board_set)
    assert not page.has_delete_permission(request, board_set)


def test_boards_have_no_admin_page():
    assert not admin.site.is_registered(Board)
