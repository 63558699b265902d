/** Passes a record from another page to the replay page. */
import { navigate } from "$lib/app/router.svelte";

let pendingRecord: unknown = null;

/** Open the replay page with a record. */
export function openReplay(record: unknown): void {
  pendingRecord = record;
  navigate("/replay");
}

/** Return the passed record and forget it; null if there is none. */
export function takePendingRecord(): unknown {
  const record = pendingRecord;
  pendingRecord = null;
  return record;
}
