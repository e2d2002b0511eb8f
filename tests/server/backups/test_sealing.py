"""An encrypted file opens only with its passphrase, and only unaltered."""

from pathlib import Path

import pytest

from server.backups import encryption
from server.backups.encryption import WrongPassphrase, decrypt_file, encrypt_file, is_encrypted

HEADER_LENGTH = (
    len(encryption.ENCRYPTED_FILE_MAGIC) + encryption.SALT_BYTES + encryption.NONCE_PREFIX_BYTES
)


@pytest.fixture(autouse=True)
def use_cheap_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use small blocks and a cheap key, so that a file has many blocks and tests are fast."""
    monkeypatch.setattr(encryption, "CHUNK_BYTES", 10)
    monkeypatch.setattr(encryption, "SCRYPT_COST", 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain").write_bytes(bytes(range(35)))
    encrypt_file(tmp_path / "plain", tmp_path / "sealed", "a tray and a slip")
    return tmp_path


def decrypt_sealed_file(folder: Path, passphrase: str = "a tray and a slip") -> bytes:
    decrypt_file(folder / "sealed", folder / "again", passphrase)
    return (folder / "again").read_bytes()


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 20, 35])
def test_sealed_file_decrypts_unchanged(tmp_path: Path, length: int) -> None:
    (tmp_path / "plain").write_bytes(b"x" * length)
    encrypt_file(tmp_path / "plain", tmp_path / "sealed", "ä")
    assert is_encrypted(tmp_path / "sealed")
    assert not is_encrypted(tmp_path / "plain")
    assert decrypt_sealed_file(tmp_path, "ä") == b"x" * length
    assert (tmp_path / "again").stat().st_mode & 0o077 == 0


def test_sealing_same_file_twice_gives_different_output(folder: Path) -> None:
    encrypt_file(folder / "plain", folder / "other", "a tray and a slip")
    assert (folder / "other").read_bytes() != (folder / "sealed").read_bytes()


def test_wrong_passphrase_does_not_decrypt(folder: Path) -> None:
    with pytest.raises(WrongPassphrase):
        decrypt_sealed_file(folder, "a tray and a slap")
    assert not (folder / "again").exists()


def test_altered_or_truncated_sealed_file_is_refused(folder: Path) -> None:
    content = (folder / "sealed").read_bytes()
    damaged_contents = [content[:length] for length in range(HEADER_LENGTH, len(content))]
    damaged_contents += [
        content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        for place in range(len(encryption.ENCRYPTED_FILE_MAGIC), len(content))
    ]
    damaged_contents.append(content + b"x")
    chunk_size = encryption.CHUNK_BYTES + encryption.TAG_BYTES
    first, second = (
        content[HEADER_LENGTH : HEADER_LENGTH + chunk_size],
        content[HEADER_LENGTH + chunk_size : HEADER_LENGTH + 2 * chunk_size],
    )
    damaged_contents.append(
        content[:HEADER_LENGTH] + second + first + content[HEADER_LENGTH + 2 * chunk_size :]
    )
    for damaged_content in damaged_contents:
        (folder / "sealed").write_bytes(damaged_content)
        with pytest.raises(WrongPassphrase):
            decrypt_sealed_file(folder)
        assert not (folder / "again").exists()
