import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const STATEMENT = /(\w+)\.(?:any|one|maybeOne)(?:First)?\(\s*sql\.type\([^`]*?\)`([\s\S]*?)`\s*\)/g;
const CHANGES = /\b(?:INSERT INTO|UPDATE \w+|DELETE FROM)\b|\$\{retireDeletedLinks\}/;
/** They run without a caller, or only to lock rows. */
const EXCEPTIONS = ["resources/webhook-accounts.ts"];

it("a statement that changes something runs in a `transaction` or is one of `changing`, so that its actor is authorized", async () => {
  const found: string[] = [];
  for await (const path of glob("**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts", "testing/**"] })) {
    const source = await readFile(join(import.meta.dirname, path), "utf8");
    for (const [, on, text = ""] of source.replaceAll(/`@\$\{\w+\}`/g, "").matchAll(STATEMENT)) {
      if (on !== "transaction" && CHANGES.test(text)) found.push(path);
    }
  }
  expect(found.filter((path) => !EXCEPTIONS.includes(path))).toEqual([]);
});
