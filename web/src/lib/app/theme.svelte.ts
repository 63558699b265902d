/** Parchment by day, the night map by night: as the system has it, or as the player chose. */
import { remember, remembered } from "$lib/storage/preferences";

export type Theme = "auto" | "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = $state<Theme>("auto");
let shown = $state<"light" | "dark">("light");

function show(): void {
  shown = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset.theme = shown;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", shown === "dark" ? "#1d2330" : "#f4e9d2");
}

/** Called once, before anything is drawn. */
export function startTheme(): void {
  const stored = remembered("theme");
  if (stored === "light" || stored === "dark") chosen = stored;
  dark.addEventListener("change", show);
  show();
}

export function currentTheme(): Theme {
  return chosen;
}

/** What the page is drawn in. */
export function shownTheme(): "light" | "dark" {
  return shown;
}

export function setTheme(theme: Theme): void {
  chosen = theme;
  remember("theme", theme);
  show();
}
