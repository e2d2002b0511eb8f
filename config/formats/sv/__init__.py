"""The formats of Swedish, in the package layout that Django requires."""
