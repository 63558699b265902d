/** Whether chance kept to the order that the server bound itself to before the first draw. */
import type { MatchState } from "$lib/api";

export type CommitmentResult = "kept" | "broken" | "unknown";

/** Opens the commitment: SHA-256 over salt, colon, order joined by commas. */
export async function checkCommitment({
  commitment,
  reveal,
  steps,
}: Pick<MatchState, "commitment" | "reveal" | "steps">): Promise<CommitmentResult> {
  // Browsers hash only on pages they trust: this machine, or https.
  if (!commitment || !reveal || !globalThis.crypto?.subtle) return "unknown";
  const text = new TextEncoder().encode(`${reveal.salt}:${reveal.order.join(",")}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const drawn = steps.filter((step) => step.player === null).map((step) => step.text);
  return found === commitment && drawn.every((draw, i) => draw === reveal.order[i]) ? "kept" : "broken";
}
