"""One module a step; never edited after a release."""
