"""Corrections of translations: directors suggest them, translators find them in a file."""
