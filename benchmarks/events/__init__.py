"""What ``python -m benchmarks tournament`` is made of: bots, and an event of a million games. No benchmark itself."""
