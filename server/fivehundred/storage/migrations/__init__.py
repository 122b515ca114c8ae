"""The steps from one version of the database to the next; applied when it is opened."""
