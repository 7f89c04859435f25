import { expect, it } from "vitest";
import { parse } from "yaml";
import { compose } from "./compose-file.ts";

const MAX_DAYS = 120;

// Not an everyday test: an old checkout must not fail because of the calendar. A release runs it.
it("all images were compared with the newest releases in the last 120 days", () => {
  const days = (Date.now() - Date.parse(parse(compose)["x-images-compared"])) / 86_400_000;
  expect(days).toBeLessThan(MAX_DAYS);
});
