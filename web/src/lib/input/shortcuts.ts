/** Whether a key is meant for the table: not for a field that is written in, nor for the browser. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.altKey || event.metaKey || (event.ctrlKey && event.key.toLowerCase() !== "z")) return false;
  const target = event.target as Partial<Element> | null;
  return !target?.closest?.("input:not([type=checkbox]), select, textarea, dialog, [role=dialog]");
}
