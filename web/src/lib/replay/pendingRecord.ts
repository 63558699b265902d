/** A record that another page has made, on its way to the page that shows it. */
import { navigate } from "$lib/app/router.svelte";

let pendingRecord: unknown = null;

/** Show a record: every turn, its review, its par. */
export function openReplay(record: unknown): void {
  pendingRecord = record;
  navigate("/replay");
}

/** The record, once. */
export function takePendingRecord(): unknown {
  const record = pendingRecord;
  pendingRecord = null;
  return record;
}
