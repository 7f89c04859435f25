import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { findEndless } from "./testing/hostile-texts/find-endless.ts";

/** Functions of numbers, and what no request is read with. */
const OTHERS = /[.]test[.]ts$|^testing|^documentation|messages|links-csv|visitor-sketch/;

it("reads every text in time in proportion to its length", { timeout: 0 }, async () => {
  const modules = globSync("**/*.ts", { cwd: import.meta.dirname })
    .filter((path) => !OTHERS.test(path))
    .map((path) => new URL(path, import.meta.url));
  const schemas = new URL("./testing/request-schemas.ts", import.meta.url);
  expect(await findEndless([...modules, schemas])).toBeNull();
});
