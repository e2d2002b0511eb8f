"""The package `overplay` of the wheel, which contains the program's folders.

Those folders have everyday names such as `config` and `server`. They are imported from this
package's folder, so they do not mix with other packages in site-packages.
"""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a command of Overplay, or `serve` if none is given.

    Data goes to `overplay` in the user's home folder, unless DATA_DIR names another.
    """
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    os.environ.setdefault("DATA_DIR", str(Path.home() / "overplay"))
    from manage import main as manage

    sys.argv = sys.argv if sys.argv[1:] else [sys.argv[0], "serve"]
    manage()
