/** A file that the server makes and the browser saves: whether that is going on, and what went wrong. */
import { announce } from "$lib/app/announce.svelte";
import { request } from "$lib/api";
import { errorMessage } from "$lib/app/errors";
import { downloadBlob } from "./downloadBlob";

export class FileExport {
  busy = $state(false);
  error = $state.raw<unknown>(null);

  /** Have it made of this body; `said` is told once it is saved. One at a time. */
  async save(name: string, path: string, body: () => unknown, said: string): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      downloadBlob(name, await (await request(path, { body: await body() })).blob());
      announce(said);
    } catch (caught) {
      this.error = caught;
      announce(errorMessage(caught));
    } finally {
      this.busy = false;
    }
  }
}
