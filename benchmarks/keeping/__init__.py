"""What ``python -m benchmarks storage`` is made of: games, and their rows. No benchmark of its own."""
