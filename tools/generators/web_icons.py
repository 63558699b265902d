"""Draw the icons of the page and the picture of link previews from the drawings of the games: `make icons`."""

from pathlib import Path

from playwright.sync_api import Page

from support.chromium import chromium

ROOT = Path(__file__).parents[2]
PUBLIC_FOLDER = ROOT / "web" / "public"
#: File name, side in pixels, and margin as a share of the side: systems cut maskable icons to their own shape.
ICONS = (("icon-192.png", 192, 0.0), ("icon-512.png", 512, 0.0), ("icon-mask.png", 512, 0.14))
PREVIEW_HTML = """
<body style="margin:0;display:grid;grid-template:auto 1fr/1fr 1fr;gap:12px 18px;width:800px;height:420px;
    box-sizing:border-box;padding:18px 26px;background:#f4e9d2;color:#3b2f22;overflow:hidden">
  <h1 style="grid-column:1/-1;margin:0;font:italic 700 42px/1 Georgia,'DejaVu Serif',serif">limina
    <span style="font:400 22px/1 system-ui,'DejaVu Sans',sans-serif">Limes · Limit</span></h1>
  <div>LIMES</div><div>LIMIT</div>
  <style>div { min-height: 0; display: grid; place-items: center } svg { width: 100%; height: 100% }</style>
</body>
"""


def render_html(page: Page, html: str, width: int, height: int, name: str) -> None:
    """Take a screenshot of HTML of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(html)
    page.screenshot(path=PUBLIC_FOLDER / name, omit_background=True)


def main() -> None:
    """Write all icons and the preview."""
    icon = (PUBLIC_FOLDER / "icon.svg").read_text("utf-8")
    limes, limit = ((ROOT / "docs" / "img" / f"{name}.svg").read_text("utf-8") for name in ("limes", "limit"))
    with chromium() as browser:
        page = browser.new_page()
        for name, side, margin in ICONS:
            ground = "background:#f4e9d2;" if margin else ""
            size = f"box-sizing:border-box;width:{side}px;height:{side}px;padding:{margin * side:.0f}px"
            style = f"margin:0;{ground}{size}"
            render_html(page, f'<body style="{style}">{icon}</body>', side, side, name)
        render_html(page, PREVIEW_HTML.replace("LIMES", limes, 1).replace("LIMIT", limit, 1), 800, 420, "preview.png")


if __name__ == "__main__":
    main()
