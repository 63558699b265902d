import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";

const file = (path: string) => new URL(`../src/lib/api/${path}`, import.meta.url);

test("the wire types are generated from schema.json (else: npm run types)", async () => {
  const generated = astToString(await openapiTS(file("schema.json")));
  // The command writes a notice above the types.
  expect(readFileSync(file("types.ts"), "utf8").endsWith(generated)).toBe(true);
});
