"""Playing Limit in the browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

BOARD = "[data-stage]"
SELECTABLE_TILES = "[data-tile]:not([aria-disabled])"


def wait_for_stage(page: Page) -> str:
    """Wait until a player at this screen is to move or the game is over; return the step of the turn, or `over`."""
    page.wait_for_function(
        "() => { const board = document.querySelector('[data-stage]');"
        " return board && (board.dataset.phase === 'over' || board.dataset.stage !== 'watch') }"
    )
    board = page.locator(BOARD)
    return "over" if board.get_attribute("data-phase") == "over" else board.get_attribute("data-stage") or ""


def target_tiles(page: Page) -> list[str]:
    """Return the tiles that the pawn can move to."""
    names: list[str] = page.locator(SELECTABLE_TILES).evaluate_all(
        "tiles => tiles.filter(tile => !tile.classList.contains('drag')).map(tile => tile.dataset.tile)"
    )
    return names


def step_by_mouse(page: Page, step: str) -> None:
    """Take a step of a turn, with the first tile that can be selected."""
    turn = page.locator(BOARD).get_attribute("data-turn") or ""
    if step == "pawn":
        page.locator(SELECTABLE_TILES).first.click()
        expect(page.locator(BOARD)).to_have_attribute("data-stage", "target")
    elif step == "target":
        page.locator(f"[data-tile={target_tiles(page)[0]}]").click()
        page.wait_for_function("() => document.querySelector('[data-stage]').dataset.stage !== 'target'")
    elif step == "removal":
        page.locator(SELECTABLE_TILES).first.click()
        expect(page.locator(BOARD)).to_have_attribute("data-stage", "ready")
    else:
        page.get_by_role("button", name="End turn").click()
        expect(page.locator(BOARD)).not_to_have_attribute("data-turn", turn)
