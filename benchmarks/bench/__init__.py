"""What the benchmarks share: bots, echoes, tournaments under way, meters, rows and reports."""
