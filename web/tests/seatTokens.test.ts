import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/lib/api";

const VALID = "g".repeat(32);
const OTHER = "o".repeat(32);
const INVALID = "A".repeat(32);

type SeatTokens = typeof import("../src/lib/api/seatTokens");
let tokens: SeatTokens;

beforeEach(async () => {
  vi.resetModules(); // without storage, tokens live as long as the module
  tokens = await import("../src/lib/api/seatTokens");
});

/** A server on which each of these tokens holds a seat. */
function seatsOf(...known: string[]) {
  return (token: string) => Promise.resolve(known.flatMap((knownToken, seat) => (knownToken === token ? [seat] : [])));
}

test("an invalid token in a link does not replace a valid one", async () => {
  tokens.saveSeatTokens("match", [{ seat_index: 0, seat_token: VALID }]);
  await tokens.importSeatTokens("match", `#0.${INVALID}`, seatsOf(VALID));
  expect(tokens.seatsWithTokens("match")).toEqual([{ seat_index: 0, seat_token: VALID }]);
});

test("a link imports the seats of its valid tokens", async () => {
  await tokens.importSeatTokens("match", `#0.${VALID},1.${OTHER},2.${INVALID}`, seatsOf(VALID, OTHER));
  expect(tokens.seatTokens("match")).toEqual([VALID, OTHER]);
});

test("a token is imported only for the seat that it holds", async () => {
  tokens.saveSeatTokens("match", [{ seat_index: 1, seat_token: OTHER }]);
  await tokens.importSeatTokens("match", `#1.${INVALID},0.${OTHER},1.${VALID}`, seatsOf(VALID, OTHER));
  expect(tokens.seatsWithTokens("match")).toEqual([{ seat_index: 1, seat_token: OTHER }]);
});

test("links with invalid tokens evict no other match", async () => {
  tokens.saveSeatTokens("match", [{ seat_index: 0, seat_token: VALID }]);
  for (let n = 0; n < 300; n++) await tokens.importSeatTokens(`other-${n}`, `#0.${INVALID}`, seatsOf());
  expect(tokens.seatTokens("match")).toEqual([VALID]);
});

test("tokens do not change while the server is offline", async () => {
  tokens.saveSeatTokens("match", [{ seat_index: 0, seat_token: VALID }]);
  const offline = () => Promise.reject(new ApiError("offline"));
  await expect(tokens.importSeatTokens("match", `#0.${INVALID}`, offline)).rejects.toThrow("offline");
  expect(tokens.seatTokens("match")).toEqual([VALID]);
});

test("known tokens are not checked, and a long link checks only a few", async () => {
  tokens.saveSeatTokens("match", [{ seat_index: 0, seat_token: VALID }]);
  const check = vi.fn(seatsOf(VALID));
  await tokens.importSeatTokens("match", `#0.${VALID}`, check);
  expect(check).not.toHaveBeenCalled();
  const many = Array.from({ length: 100 }, (_, n) => `1.${INVALID}${n}`).join(",");
  await tokens.importSeatTokens("match", `#${many}`, check);
  expect(check.mock.calls.length).toBeLessThanOrEqual(8);
});
