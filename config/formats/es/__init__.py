"""The formats of Spanish, in the package layout that Django requires."""
