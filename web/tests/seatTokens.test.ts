import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/lib/api";

const GOOD = "g".repeat(32);
const OTHER = "o".repeat(32);
const JUNK = "A".repeat(32);

type Keys = typeof import("../src/lib/api/seatTokens");
let keys: Keys;

beforeEach(async () => {
  vi.resetModules(); // there is no storage here: the keys live as long as the module
  keys = await import("../src/lib/api/seatTokens");
});

/** A server that knows one key a seat. */
function seatsOf(...known: string[]) {
  return (key: string) => Promise.resolve(known.flatMap((each, seat) => (each === key ? [seat] : [])));
}

test("a link with a key that holds nothing does not replace the one that works", async () => {
  keys.saveSeatTokens("match", [{ seat_index: 0, seat_token: GOOD }]);
  await keys.importSeatTokens("match", `#0.${JUNK}`, seatsOf(GOOD));
  expect(keys.heldSeats("match")).toEqual([{ seat_index: 0, seat_token: GOOD }]);
});

test("a link brings seats to a device that has none, those that are real", async () => {
  await keys.importSeatTokens("match", `#0.${GOOD},1.${OTHER},2.${JUNK}`, seatsOf(GOOD, OTHER));
  expect(keys.seatTokens("match")).toEqual([GOOD, OTHER]);
});

test("a key is believed only for the seat that it holds", async () => {
  keys.saveSeatTokens("match", [{ seat_index: 1, seat_token: OTHER }]);
  await keys.importSeatTokens("match", `#1.${JUNK},0.${OTHER},1.${GOOD}`, seatsOf(GOOD, OTHER));
  expect(keys.heldSeats("match")).toEqual([{ seat_index: 1, seat_token: OTHER }]);
});

test("links with nothing in them push no other match out", async () => {
  keys.saveSeatTokens("match", [{ seat_index: 0, seat_token: GOOD }]);
  for (let n = 0; n < 300; n++) await keys.importSeatTokens(`other-${n}`, `#0.${JUNK}`, seatsOf());
  expect(keys.seatTokens("match")).toEqual([GOOD]);
});

test("while the server is not reached nothing is changed", async () => {
  keys.saveSeatTokens("match", [{ seat_index: 0, seat_token: GOOD }]);
  const offline = () => Promise.reject(new ApiError("offline"));
  await expect(keys.importSeatTokens("match", `#0.${JUNK}`, offline)).rejects.toThrow("offline");
  expect(keys.seatTokens("match")).toEqual([GOOD]);
});

test("a key that is known already is not asked for, and a long link asks for a few only", async () => {
  keys.saveSeatTokens("match", [{ seat_index: 0, seat_token: GOOD }]);
  const asked = vi.fn(seatsOf(GOOD));
  await keys.importSeatTokens("match", `#0.${GOOD}`, asked);
  expect(asked).not.toHaveBeenCalled();
  const many = Array.from({ length: 100 }, (_, n) => `1.${JUNK}${n}`).join(",");
  await keys.importSeatTokens("match", `#${many}`, asked);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(8);
});
