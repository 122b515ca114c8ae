"""What the referee raises.

BadQuestion     a question cannot be answered; names the member
"""

MOST_CHARACTERS = 1000


class BadQuestion(ValueError):
    """A question that cannot be answered: the member that is wrong, and what would be right."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field
        self.message = message[:MOST_CHARACTERS]
