/** The path of the open page, and navigation within the page without a reload. `pages/routes.ts` maps paths to pages. */
import { tick } from "svelte";

let path = $state(location.pathname);

export function currentPath(): string {
  return path;
}

/** Open another page of limina. */
export function navigate(target: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", target);
  updatePath();
  if (!target.includes("#")) {
    scrollTo(0, 0);
    // As after a reload, screen readers and the keyboard begin at the top of the page.
    void tick().then(() => document.getElementById("main")?.focus({ preventScroll: true }));
  }
}

function updatePath(): void {
  path = location.pathname;
}

/** Follow the browser's history, and open links to limina's own pages without a reload. Call it once. */
export function initRouter(): void {
  addEventListener("popstate", updatePath);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
