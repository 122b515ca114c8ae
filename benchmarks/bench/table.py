"""The rows of the suite, in order, with what is asked of each."""

from bench import costs, latency, others, throughput
from bench.rows import Row, least, most

ROWS = (
    Row(
        "stream",
        "one process behind all seats, 64 tables",
        {"of echo": least(0.5), "hands/s": least(500)},
        throughput.one_process,
    ),
    Row(
        "four-bots",
        "four bot processes, 64 and 256 tables",
        {"hands/s, 64 tables": least(300), "hands/s, 256 tables": least(500)},
        throughput.four_processes,
    ),
    Row(
        "slow-bot",
        "tables without a bot of 20 ms a decision, while others have it",
        {"rate kept": least(0.8)},
        throughput.one_slow,
    ),
    Row(
        "attached",
        "the first row's bots dial in",
        {"of dialled": least(0.9)},
        throughput.attached,
    ),
    Row(
        "unary",
        "one decision a call, 64 tables",
        {"of echo": least(0.8)},
        throughput.unary,
    ),
    Row(
        "turnaround",
        "one table, from an answer to the next request",
        {"p50 µs": most(100), "p99 µs": most(1000)},
        latency.turnaround,
    ),
    Row(
        "engine",
        "the rules alone",
        {"slowest preset, times slower": most(2)},
        others.engine,
    ),
    Row(
        "journal",
        "log and store at the full rate",
        {"share of CPU": most(0.1), "hands a commit": least(5)},
        costs.journal,
    ),
    Row(
        "many-tables",
        "1,000 tables, four bots at four fifths of a limit of 1 s",
        {"false timeouts": most(0), "KB a table": most(100), "lag p99 ms": most(20)},
        latency.many_tables,
    ),
    Row(
        "overshoot",
        "100 decisions at a time that are never answered",
        {"p99 ms": most(20)},
        latency.overshoot,
    ),
    Row(
        "workers",
        "two worker processes against one, bots of 5 ms a decision",
        {"of one": least(1.8)},
        others.workers,
    ),
    Row(
        "start",
        "fivehundred --help",
        {"seconds": most(0.3)},
        costs.start,
    ),
    Row(
        "selfplay",
        "self-play in lock step, in one thread",
        {},
        others.selfplay,
    ),
)
