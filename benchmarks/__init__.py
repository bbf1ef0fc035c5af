"""What the project measures of itself. Run by ``python -m benchmarks NAME``; nothing in the project imports it."""
