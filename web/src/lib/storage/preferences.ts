/** What this browser remembers of its player. One that stores nothing forgets it with the page, and plays all the same. */
export function loadPreference(name: string): string | null {
  try {
    return localStorage.getItem(`limina.${name}`);
  } catch {
    return null;
  }
}

export function savePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`limina.${name}`, value);
  } catch {
    // Then only until the page is closed.
  }
}
