"""The formats of French, in the package layout that Django requires."""
