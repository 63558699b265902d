import { expect, test } from "vitest";
import { OneByOne } from "../src/lib/oneByOne";

function later(): { promise: Promise<boolean>; done: (well: boolean) => void } {
  let done!: (well: boolean) => void;
  const promise = new Promise<boolean>((resolve) => (done = resolve));
  return { promise, done };
}

test("what takes no time is done at once", () => {
  const deeds = new OneByOne();
  const seen: string[] = [];
  void deeds.do(() => seen.push("first"));
  void deeds.do(() => seen.push("second"));
  expect(seen).toEqual(["first", "second"]);
});

test("what is asked for while a turn is saved is done afterwards, in order", async () => {
  const deeds = new OneByOne();
  const [saving, looking] = [later(), later()];
  const seen: string[] = [];
  const all = deeds.do(() => saving.promise);
  void deeds.do(() => (seen.push("second"), looking.promise));
  void deeds.do(() => seen.push("third"));
  expect([deeds.busy, seen]).toEqual([true, []]);
  saving.done(true);
  looking.done(true);
  await all;
  expect([deeds.busy, seen]).toEqual([false, ["second", "third"]]);
});

test("what waited for a turn that could not be saved is forgotten, what comes later is not", async () => {
  const deeds = new OneByOne();
  const saving = later();
  const seen: string[] = [];
  const all = deeds.do(() => saving.promise);
  void deeds.do(() => seen.push("forgotten"));
  saving.done(false);
  await all;
  void deeds.do(() => seen.push("done"));
  expect(seen).toEqual(["done"]);
});
