/** A record that another page has made, on its way to the page that shows it. */
import { go } from "$lib/app/router.svelte";

let handed: unknown = null;

/** Show a record: every turn, its review, its par. */
export function showRecord(record: unknown): void {
  handed = record;
  go("/replay");
}

/** The record, once. */
export function takeRecord(): unknown {
  const record = handed;
  handed = null;
  return record;
}
