"""The `__init__.py` of the wheel's package `overplay`, which contains the program's folders.

These folders have common names such as `config` and `server`. They are imported from this
package's folder, which avoids conflicts in site-packages.
"""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a command of Overplay, or `serve` if none is given.

    The data folder is `overplay` in the user's home folder, unless DATA_DIR is set.
    """
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    os.environ.setdefault("DATA_DIR", str(Path.home() / "overplay"))
    from manage import main as run_command

    sys.argv = sys.argv if sys.argv[1:] else [sys.argv[0], "serve"]
    run_command()
