"""Honesty: facts of hands, effects of what should have none, and what that needs of statistics."""
