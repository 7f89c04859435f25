import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { expect, test } from "vitest";
import { APP_NAMES } from "./names.ts";

test("every app of the strategy table has a name of its own", () => {
  const apps = new Set(BUILT_IN_OPENING_TABLE.rows.map(({ app }) => app));
  for (const app of apps) expect(APP_NAMES[app], app).toBeTruthy();
  expect(new Set([...apps].map((app) => APP_NAMES[app])).size).toBe(apps.size);
});
