"""Greets the bots of a tournament that is being played, to see whether they are there again."""

from fivehundred.daemon.sessions import Registry, hello_of
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.players.player import Unreachable
from fivehundred.players.session import connect
from fivehundred.wire.errors import NotFound
from fivehundred.wire.spec import EntrantSpec, Plan


class Greeter:
    """Greets over connections of its own, beside the sessions that play."""

    def __init__(
        self,
        plan: Plan,
        bots: tuple[str, ...],
        store: Registry,
        attached: AttachedBots,
        lag: LagMonitor,
    ) -> None:
        self._plan = plan
        self._bots = bots
        self._store = store
        self._attached = attached
        self._lag = lag

    async def greet(self, entrant: int) -> bool:
        """Whether an entrant's bot answers as the one that plays.

        A launched bot has a process a seat, and none listens for greetings from elsewhere: it is
        tried with a match at once. One that dials in has greeted where it is attached. One that
        has been unregistered meanwhile does not answer.
        """
        spec = self._plan.entrants[entrant]
        if spec.launch:
            return True
        try:
            address = self._address(spec)
        except NotFound:
            return False
        if address is None:
            return self._attached.find(spec.registered or "") is not None
        return await self._answers(address, self._bots[entrant])

    def _address(self, spec: EntrantSpec) -> str | None:
        if spec.address:
            return spec.address
        bot = self._store.bot(spec.registered or "")
        return None if bot.dials_in else bot.address

    async def _answers(self, address: str, identity: str) -> bool:
        suspension = self._plan.suspension
        assert suspension is not None
        limit = min(suspension.probe_us, self._plan.time.connect_us)
        hello = hello_of(self._plan.rules, 0)
        try:
            session = await connect(address, [hello], limit_us=limit, lag=self._lag)
        except Unreachable:
            return False
        async with session:
            return str(session.identity) == identity
