"""Playing Limit as a person does."""

from __future__ import annotations

from playwright.sync_api import Page, expect

TABLE = "[data-stage]"
OFFERED = "[data-spot]:not([aria-disabled])"


def stage(page: Page) -> str:
    """Wait until there is something to do, or nothing more."""
    page.wait_for_function(
        "() => { const table = document.querySelector('[data-stage]');"
        " return table && (table.dataset.phase === 'over' || !['watch'].includes(table.dataset.stage)) }"
    )
    table = page.locator(TABLE)
    return "over" if table.get_attribute("data-phase") == "over" else table.get_attribute("data-stage") or ""


def targets(page: Page) -> list[str]:
    found: list[str] = page.locator(OFFERED).evaluate_all(
        "all => all.filter(each => !each.classList.contains('drag')).map(each => each.dataset.spot)"
    )
    return found


def step_by_mouse(page: Page, now: str) -> None:
    turn = page.locator(TABLE).get_attribute("data-turn") or ""
    if now == "pawn":
        page.locator(OFFERED).first.click()
        expect(page.locator(TABLE)).to_have_attribute("data-stage", "target")
    elif now == "target":
        page.locator(f"[data-spot={targets(page)[0]}]").click()
        page.wait_for_function("() => document.querySelector('[data-stage]').dataset.stage !== 'target'")
    elif now == "removal":
        page.locator(OFFERED).first.click()
        expect(page.locator(TABLE)).to_have_attribute("data-stage", "ready")
    else:
        page.get_by_role("button", name="End turn").click()
        expect(page.locator(TABLE)).not_to_have_attribute("data-turn", turn)
