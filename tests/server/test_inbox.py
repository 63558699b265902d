"""What has come over a socket is neither lost nor turned around, whoever stops waiting for it."""

from __future__ import annotations

import asyncio

import pytest

from limina.server.web.inbox import Inbox


def test_messages_come_out_in_the_order_in_which_they_came() -> None:
    async def story() -> list[str]:
        inbox = Inbox()
        inbox.put_nowait("one")
        taken = [await inbox.get()]
        waiting = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        inbox.put_nowait("two")
        inbox.put_nowait("three")
        assert (inbox.empty(), inbox.qsize()) == (False, 2)
        taken += [await waiting, await inbox.get()]
        assert inbox.empty()
        return taken

    assert asyncio.run(story()) == ["one", "two", "three"]


def test_a_message_that_comes_while_its_reader_is_cancelled_is_there_for_the_next() -> None:
    async def story() -> str:
        inbox = Inbox()
        waiting = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        inbox.put_nowait("kept")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        found: str = await inbox.get()
        return found

    assert asyncio.run(story()) == "kept"


def test_a_reader_who_was_cancelled_stands_in_nobodys_way() -> None:
    async def story() -> str:
        inbox = Inbox()
        waiting = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        inbox.put_nowait("heard")
        found: str = await inbox.get()
        return found

    assert asyncio.run(story()) == "heard"
