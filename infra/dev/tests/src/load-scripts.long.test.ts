import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { withTestStack } from "@tapthru/stack/stack/test-stack";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, it } from "vitest";

const SMOKE = join(CHECKOUT, "infra", "load", "smoke.js");

describe("the smoke script of k6", () => {
  skipWithout("k6");

  it("gets the right response to each request", async ({ signal }) => {
    await withTestStack(signal, ({ baseUrl }) =>
      execa("k6", ["run", "--no-usage-report", SMOKE], { env: { BASE_URL: baseUrl } }),
    );
  }, 300_000);
});
