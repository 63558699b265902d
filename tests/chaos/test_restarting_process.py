"""Processes of a chaos run are started again after each exit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from chaos.restarting_process import RestartingProcess


def test_a_process_that_exits_while_it_is_killed_is_started_again(tmp_path: Path) -> None:
    process = RestartingProcess("worker", "it", ("worker",), tmp_path / "log", Random(1))  # exits: it has no database

    async def scenario() -> None:
        running = asyncio.create_task(process.run(asyncio.Lock()))
        while process.starts < 3:
            await asyncio.sleep(0)
            if process.starts and process._command is not None:
                while process.kill():  # no other task runs meanwhile, so the exit is noticed here first
                    pass
        process.stop()
        await running

    asyncio.run(asyncio.wait_for(scenario(), 60))
