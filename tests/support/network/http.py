"""Requests that wait as long as a busy machine needs: what is expected comes or does not."""

from __future__ import annotations

from functools import partial

import httpx

get = partial(httpx.get, timeout=60)
post = partial(httpx.post, timeout=60)
