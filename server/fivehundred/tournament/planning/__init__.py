"""Planning: what an event costs and what it resolves, before it is played.

`forecast` takes an event and what is known of its boards, hands and pace, measured on earlier
events or assumed, and says what each figure rests on. What cannot be meant raises `Nonsense`, one
sentence saying what would be right; what is merely doubtful is a warning.
"""

from fivehundred.tournament.planning.checks import span
from fivehundred.tournament.planning.forecasting import forecast
from fivehundred.tournament.planning.values import Amount, Event, Forecast, Known, Nonsense

__all__ = ["Amount", "Event", "Forecast", "Known", "Nonsense", "forecast", "span"]
