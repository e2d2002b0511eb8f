"""The formats of Dutch, in the package layout that Django requires."""
