"""The formats of Norwegian Bokmål, in the package layout that Django requires."""
