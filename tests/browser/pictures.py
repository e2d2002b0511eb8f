"""Store screenshots for a person to look at, if a folder is configured."""

import os
from pathlib import Path
from typing import Any


def save_page_screenshot(page: Any, name: str) -> None:
    """Store a screenshot of the whole page in the folder PICTURES, if it is set."""
    folder = os.environ.get("PICTURES")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
