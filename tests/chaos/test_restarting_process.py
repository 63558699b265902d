"""The processes of a storm: whatever ends them, they come back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from chaos.restarting_process import Process


def test_one_that_ends_by_itself_just_when_it_is_to_be_killed_is_started_again(tmp_path: Path) -> None:
    process = Process("worker", "it", ("worker",), tmp_path / "log", Random(1))  # without a database it ends at once

    async def scenario() -> None:
        living = asyncio.create_task(process.live(asyncio.Lock()))
        while process.lives < 3:
            await asyncio.sleep(0)
            if process.lives and process._command is not None:
                while process.kill():  # nobody else has a turn meanwhile: its end is seen here first
                    pass
        process.stop()
        await living

    asyncio.run(asyncio.wait_for(scenario(), 60))
