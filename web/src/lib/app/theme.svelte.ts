/** The color theme: that of the system, or the one that the player chose. */
import { savePreference, loadPreference } from "$lib/storage/preferences";

export type Theme = "auto" | "light" | "dark";

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
let preference = $state<Theme>("auto");
let applied = $state<"light" | "dark">("light");

function applyTheme(): void {
  applied = preference === "auto" ? (darkQuery.matches ? "dark" : "light") : preference;
  document.documentElement.dataset.theme = applied;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", applied === "dark" ? "#1d2330" : "#f4e9d2");
}

/** Apply the stored theme. Call it once, before the page is drawn. */
export function initTheme(): void {
  const stored = loadPreference("theme");
  if (stored === "light" || stored === "dark") preference = stored;
  darkQuery.addEventListener("change", applyTheme);
  applyTheme();
}

export function themePreference(): Theme {
  return preference;
}

/** Return the theme of the page, with `auto` resolved. */
export function effectiveTheme(): "light" | "dark" {
  return applied;
}

export function setTheme(theme: Theme): void {
  preference = theme;
  savePreference("theme", theme);
  applyTheme();
}
