"""The formats of German, in the package layout that Django requires."""
