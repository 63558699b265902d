/** Return true if a key press is a shortcut of the page, not one of the browser, an input field or a dialog. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.altKey || event.metaKey || (event.ctrlKey && event.key.toLowerCase() !== "z")) return false;
  const target = event.target as Partial<Element> | null;
  return !target?.closest?.("input:not([type=checkbox]), select, textarea, dialog, [role=dialog]");
}
