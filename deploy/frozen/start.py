"""The frozen program: a double click opens the browser; with arguments it runs a command."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command of the command line, or `serve --browser` if there is none."""
    folder = Path(os.environ.setdefault("DATA_DIR", str(Path.home() / "overplay")))
    if sys.stdout is None:  # on Windows a program without a terminal has no output
        folder.mkdir(parents=True, exist_ok=True)
        sys.stdout = sys.stderr = (folder / "overplay.log").open("a", encoding="utf-8")
    if not sys.argv[1:]:
        sys.argv += ["serve", "--browser"]
    from manage import main as run_command

    run_command()


if __name__ == "__main__":
    main()
