"""The formats of British English, in the package layout that Django requires."""
