"""Run the command line as ``python -m orrery``."""

import sys

from orrery.app.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
