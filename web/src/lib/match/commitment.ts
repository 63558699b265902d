/** Verification of the server's commitment to the order of the cards. */
import type { MatchState } from "$lib/api";

export type CommitmentResult = "honored" | "broken" | "unknown";

/** Check the commitment, which is the SHA-256 of the salt, a colon, and the order joined by commas, and the drawn cards. */
export async function checkCommitment({
  commitment,
  reveal,
  steps,
}: Pick<MatchState, "commitment" | "reveal" | "steps">): Promise<CommitmentResult> {
  // Browsers offer SHA-256 only in secure contexts: HTTPS or localhost.
  if (!commitment || !reveal || !globalThis.crypto?.subtle) return "unknown";
  const text = new TextEncoder().encode(`${reveal.salt}:${reveal.order.join(",")}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const drawn = steps.filter((step) => step.player === null).map((step) => step.text);
  return hash === commitment && drawn.every((draw, i) => draw === reveal.order[i]) ? "honored" : "broken";
}
