"""Run the command line with `python -m limina`."""

import sys

from limina.cli import main

sys.exit(main())
