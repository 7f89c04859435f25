import { join } from "node:path";
import { listLinkIds } from "@tapthru/proto/link-lists";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { withTestStack } from "@tapthru/stack/stack/test-stack";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it } from "vitest";

const SMOKE = join(CHECKOUT, "infra", "load", "smoke.js");

describe("the smoke script of k6", () => {
  skipWithout("k6");

  it("gets the right response to each request, and deletes the links of an API key", async ({ signal }) => {
    await withTestStack(signal, async ({ baseUrl }) => {
      const k6 = (env: Record<string, string>) =>
        execa("k6", ["run", "--no-usage-report", SMOKE], { env: { BASE_URL: baseUrl, ...env } });
      await k6({});

      const key = await createApiKey(baseUrl);
      await k6({ API_KEY: key });
      const headers = { authorization: `Bearer ${key}` };
      const ids = await fetch(baseUrl + listLinkIds.path, { headers });
      expect(await ids.json()).toEqual([]);
    });
  }, 300_000);
});
