"""Reports of tournaments: pure functions of what the log says, to a page, to JSON and to CSV."""
