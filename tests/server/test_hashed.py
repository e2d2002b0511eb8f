"""Scripts under hashed names: each is requested under the hash of its current content."""

import re
import shutil
from pathlib import Path

import pytest
from django.contrib.admin import ModelAdmin, site
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.staticfiles.finders import get_finders
from django.core.files.storage import FileSystemStorage
from django_htmx.jinja import htmx_script

from server.models import User
from server.static_files import CollectedFilesConfig, HashedFilesStorage

STATIC = Path(__file__).resolve().parents[2] / "static"
HASHED_NAME_PATTERN = re.compile(r"\.[0-9a-f]{12}\.js$")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return our own scripts, as `collectstatic` finds them."""
    shutil.copytree(STATIC / "js", tmp_path / "js")
    return tmp_path


def list_hashed_names(folder: Path) -> dict[str, str]:
    """Give every script its hashed name, as `collectstatic` does."""
    source = FileSystemStorage(location=folder)
    actual = [path.relative_to(folder).as_posix() for path in folder.rglob("*.js")]
    paths = {name: (source, name) for name in actual if not HASHED_NAME_PATTERN.search(name)}
    storage = HashedFilesStorage(location=folder, base_url="/static/")
    faults = [
        result for *_, result in storage.post_process(paths) if isinstance(result, Exception)
    ]
    assert faults == []
    return dict(storage.hashed_files)


@pytest.mark.slow
def test_script_imports_use_hashed_names(folder: Path) -> None:
    imported_paths = []
    for name in list_hashed_names(folder).values():
        for imported_name in re.findall(
            r'^import .* from "(.*)";', (folder / name).read_text("utf-8"), re.M
        ):
            imported_paths.append((folder / name).parent / imported_name)
    assert imported_paths
    assert [path for path in imported_paths if not HASHED_NAME_PATTERN.search(path.name)] == []
    assert [path for path in imported_paths if not path.exists()] == []


@pytest.mark.slow
def test_changed_script_and_its_importers_get_new_names(folder: Path) -> None:
    hashed_names_before = list_hashed_names(folder)
    with (folder / "js/parts.js").open("a", encoding="utf-8") as parts:
        parts.write("// changed\n")
    hashed_names_after = list_hashed_names(folder)
    names = {
        name
        for name in hashed_names_after
        if hashed_names_after[name] != hashed_names_before[name]
    }
    assert {"js/parts.js", "js/scores/page.js", "js/scores.js", "js/table.js"} <= names
    assert "js/phone/kept.js" not in names


def test_library_scripts_loaded_by_pages_are_collected() -> None:
    ignored_patterns = CollectedFilesConfig.ignore_patterns
    collected_names = {
        name for finder in get_finders() for name, _ in finder.list(ignored_patterns)
    }
    widget = AutocompleteSelect(User._meta.get_field("groups"), site)
    tags = f"{ModelAdmin(User, site).media}{widget.media}{htmx_script()}"
    loaded_names = set(re.findall(r'(?:src|href)="/static/([^"]+)"', tags))
    assert len(loaded_names) > 10
    assert loaded_names <= collected_names


def test_import_in_comment_is_not_rewritten(folder: Path) -> None:
    text = "/* Like this:\n *\n *   import { fill } from './nowhere.js';\n */\n"
    (folder / "js/alone.js").write_text(text, encoding="utf-8")
    assert (folder / list_hashed_names(folder)["js/alone.js"]).read_text(
        encoding="utf-8"
    ) == text
