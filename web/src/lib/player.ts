/** The player's own name, remembered by this browser. */
const STORE = "limina.name";

export function storedName(): string {
  try {
    return localStorage.getItem(STORE) ?? "";
  } catch {
    return "";
  }
}

export function storeName(name: string): void {
  try {
    localStorage.setItem(STORE, name);
  } catch {
    // Then it is asked for again.
  }
}
