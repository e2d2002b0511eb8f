"""Pictures of pages, kept for a person to look at where a folder is named."""

import os
from pathlib import Path
from typing import Any


def keep_picture(page: Any, name: str) -> None:
    """Keep a picture of the whole page in the folder PICTURES, if there is one."""
    folder = os.environ.get("PICTURES")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
