import { expect, test } from "vitest";
import { ActionQueue } from "../src/lib/match/actionQueue";

function deferred(): { promise: Promise<boolean>; resolve: (succeeded: boolean) => void } {
  let resolve!: (succeeded: boolean) => void;
  const promise = new Promise<boolean>((resolvePromise) => (resolve = resolvePromise));
  return { promise, resolve };
}

test("a synchronous action runs immediately", () => {
  const actions = new ActionQueue();
  const done: string[] = [];
  void actions.run(() => done.push("first"));
  void actions.run(() => done.push("second"));
  expect(done).toEqual(["first", "second"]);
});

test("actions wait while a turn is saved and run in order", async () => {
  const actions = new ActionQueue();
  const [saving, second] = [deferred(), deferred()];
  const done: string[] = [];
  const finished = actions.run(() => saving.promise);
  void actions.run(() => (done.push("second"), second.promise));
  void actions.run(() => done.push("third"));
  expect([actions.busy, done]).toEqual([true, []]);
  saving.resolve(true);
  second.resolve(true);
  await finished;
  expect([actions.busy, done]).toEqual([false, ["second", "third"]]);
});

test("a failed save drops the waiting actions, but not later ones", async () => {
  const actions = new ActionQueue();
  const saving = deferred();
  const done: string[] = [];
  const finished = actions.run(() => saving.promise);
  void actions.run(() => done.push("dropped"));
  saving.resolve(false);
  await finished;
  void actions.run(() => done.push("done"));
  expect(done).toEqual(["done"]);
});
