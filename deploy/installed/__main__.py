"""`python -m overplay` does the same as the command `overplay`."""

from overplay import main

main()
