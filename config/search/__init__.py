"""One search for everything: people, evenings, boards, laws, movements, pages."""
