"""`manage.py` prints names in UTF-8, whatever the system's encoding is."""

import sys
from io import BytesIO, TextIOWrapper

import pytest

import manage


@pytest.mark.parametrize("name", ["stdout", "stderr"])
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_redirected_output_supports_every_character(
    name: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    buffer = BytesIO()
    monkeypatch.setattr(sys, name, TextIOWrapper(buffer, encoding=encoding))
    monkeypatch.setattr(sys, "argv", ["manage.py", "version"])
    manage.main()
    getattr(sys, name).write("Łucja → 7\udc80")
    getattr(sys, name).flush()
    assert buffer.getvalue().decode().endswith("Łucja → 7\\udc80")
