"""What all kinds of evening share: their row, lifecycle, history, visits, links and pages."""
