import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsFiles } from "./settings-files.ts";
import { CHECKOUT } from "./stack/settings.ts";

it.each(Object.entries(settingsFiles()))("%s is as pnpm fix writes it", (path, text) => {
  expect(readFileSync(join(CHECKOUT, path), "utf8")).toBe(text);
});
