import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedFiles } from "./generated-files.ts";
import { CHECKOUT } from "./stack/settings.ts";

it.each(Object.entries(generatedFiles()))("%s is as pnpm fix writes it", (path, text) => {
  expect(readFileSync(join(CHECKOUT, path), "utf8")).toBe(text);
});
