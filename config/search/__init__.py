"""One search for everything: people, evenings, the boards of one, laws, movements, pages."""
