/** The player's own name, remembered by this browser. */
import { remember, remembered } from "./preferences";

export function storedName(): string {
  return remembered("name") ?? "";
}

export function storeName(name: string): void {
  remember("name", name);
}
