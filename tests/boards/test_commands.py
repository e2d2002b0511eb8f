"""`deal` prints boards, `verify_deals` deals them again; bad input gives one clear line."""

import pytest
from django.core.management import CommandError, call_command

from boards import pbn
from boards.whist.dealing import deal_board

SECRET = bytes(range(32))


def run(capsys, *arguments):
    call_command(*arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("format_name", ["pbn", "text"])
def test_printed_deals_of_a_secret_can_be_read(capsys, format_name):
    text = run(
        capsys, "deal", "--boards=6", "--secret", SECRET.hex(), f"--format={format_name}"
    )
    assert pbn.read_pbn(text).deals_by_board == {n: deal_board(SECRET, n) for n in range(1, 7)}
    assert pbn.read_pbn(text).warnings == ()


def test_deals_without_a_secret_differ_in_every_run(capsys):
    assert run(capsys, "deal", "--boards=1") != run(capsys, "deal", "--boards=1")


def test_first_board_number_can_be_chosen(capsys):
    text = run(capsys, "deal", "--boards=2", "--first=7")
    assert list(pbn.read_pbn(text).deals_by_board) == [7, 8]


@pytest.mark.parametrize("boards", ["0", "1001", "ten", "-3", "2.5", ""])
def test_invalid_number_gives_a_one_line_error(boards):
    with pytest.raises(CommandError) as exc_info:
        call_command("deal", f"--boards={boards}")
    assert str(exc_info.value) == f"--boards needs a number from 1 to 1000, not “{boards}”."


def test_invalid_secret_gives_a_one_line_error():
    with pytest.raises(CommandError, match="64 hexadecimal digits"):
        call_command("deal", "--boards=1", "--secret=00")


@pytest.mark.parametrize("style", ["pbn", "text"])
@pytest.mark.parametrize("public", [[], ["--public", "3 11 19"]])
def test_printed_deals_are_verified(capsys, tmp_path, style, public):
    file = tmp_path / "deals.txt"
    text = run(capsys, "deal", "--boards=5", f"--format={style}", *public)
    file.write_text(text, "utf-8")
    assert run(capsys, "verify_deals", file) == ("All 5 boards match the secret.\n")
    card = "% Size: 5"
    file.write_text(text.replace(card, "% Size: 4"), "utf-8")
    with pytest.raises(CommandError) as exc_info:
        call_command("verify_deals", file)
    assert str(exc_info.value).splitlines() == [
        "The commitment doesn’t match this secret and these boards.",
        "Board 5: not one of the promised boards.",
    ]


def test_missing_or_empty_file_gives_a_one_line_error(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify_deals", tmp_path / "none")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(CommandError, match="No boards found"):
        call_command("verify_deals", tmp_path / "empty")
