"""The game of Skyjo, pure: rules, shuffles, views, replays. No clock, no input or output."""
