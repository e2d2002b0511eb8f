"""The formats of Danish, in the package layout that Django requires."""
