/** Preferences in local storage. A browser without storage keeps none. */
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
    // The preference holds until the page is closed.
  }
}
