"""What the rules raise.

RulesError
├── NotationError       a text is no card, call or action
├── InvalidRuleSet      a rule set contradicts itself; names the field
└── IllegalAction       an action is not among the legal ones
"""


class RulesError(ValueError):
    """Anything the rules refuse."""


class NotationError(RulesError):
    """A text is no card, call or action."""


class InvalidRuleSet(RulesError):
    """A rule set contradicts itself or asks for an impossible pack."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class IllegalAction(RulesError):
    """An action is not among the legal ones of the seat whose turn it is."""
