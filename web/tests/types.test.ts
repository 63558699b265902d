import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";

const file = (path: string) => new URL(`../src/lib/api/${path}`, import.meta.url);

test("the wire types are those of the server's document (else: npm run types)", async () => {
  const made = astToString(await openapiTS(file("schema.json")));
  // The command writes a notice above what it makes.
  expect(readFileSync(file("types.ts"), "utf8").endsWith(made)).toBe(true);
});
