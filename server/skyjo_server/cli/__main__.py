"""The command line as a module: `python -m skyjo_server.cli`, for those who start it as a process."""

from skyjo_server.cli.main import main

if __name__ == "__main__":
    main()
