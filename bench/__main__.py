"""`python -m bench` is `cardroom bench`."""

import sys

from cli.main import main

sys.exit(main(["bench", *sys.argv[1:]]))
