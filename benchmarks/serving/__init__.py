"""What ``python -m benchmarks service`` is made of: servers, load, yardsticks. No benchmark of its own."""
