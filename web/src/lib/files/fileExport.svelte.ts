/** The state of a file that the server creates and the browser saves. */
import { announce } from "$lib/app/announce.svelte";
import { request } from "$lib/api";
import { errorMessage } from "$lib/app/errors";
import { downloadBlob } from "./downloadBlob";

export class FileExport {
  busy = $state(false);
  error = $state.raw<unknown>(null);

  /** Request a file and save it; then announce `doneText`. Do nothing while another request runs. */
  async save(name: string, path: string, body: () => unknown, doneText: string): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      downloadBlob(name, await (await request(path, { body: await body() })).blob());
      announce(doneText);
    } catch (caught) {
      this.error = caught;
      announce(errorMessage(caught));
    } finally {
      this.busy = false;
    }
  }
}
