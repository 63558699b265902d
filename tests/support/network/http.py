"""HTTP requests with a timeout that is long enough for a busy machine."""

from __future__ import annotations

from functools import partial

import httpx

get = partial(httpx.get, timeout=60)
post = partial(httpx.post, timeout=60)
