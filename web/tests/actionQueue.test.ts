import { expect, test } from "vitest";
import { ActionQueue } from "../src/lib/match/actionQueue";

function later(): { promise: Promise<boolean>; done: (well: boolean) => void } {
  let done!: (well: boolean) => void;
  const promise = new Promise<boolean>((resolve) => (done = resolve));
  return { promise, done };
}

test("what takes no time is done at once", () => {
  const actions = new ActionQueue();
  const seen: string[] = [];
  void actions.run(() => seen.push("first"));
  void actions.run(() => seen.push("second"));
  expect(seen).toEqual(["first", "second"]);
});

test("what is asked for while a turn is saved is done afterwards, in order", async () => {
  const actions = new ActionQueue();
  const [saving, looking] = [later(), later()];
  const seen: string[] = [];
  const all = actions.run(() => saving.promise);
  void actions.run(() => (seen.push("second"), looking.promise));
  void actions.run(() => seen.push("third"));
  expect([actions.busy, seen]).toEqual([true, []]);
  saving.done(true);
  looking.done(true);
  await all;
  expect([actions.busy, seen]).toEqual([false, ["second", "third"]]);
});

test("what waited for a turn that could not be saved is forgotten, what comes later is not", async () => {
  const actions = new ActionQueue();
  const saving = later();
  const seen: string[] = [];
  const all = actions.run(() => saving.promise);
  void actions.run(() => seen.push("forgotten"));
  saving.done(false);
  await all;
  void actions.run(() => seen.push("done"));
  expect(seen).toEqual(["done"]);
});
