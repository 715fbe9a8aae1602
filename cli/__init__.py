"""The `cardroom` command line."""
