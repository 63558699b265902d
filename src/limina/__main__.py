"""`python -m limina` is `limina`."""

import sys

from limina.cli import main

sys.exit(main())
