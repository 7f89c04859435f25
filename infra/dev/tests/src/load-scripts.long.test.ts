import { join } from "node:path";
import { listLinkIds } from "@tapthru/proto/link-lists";
import { localDatabaseUrl } from "@tapthru/stack/servers/database";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { withTestStack } from "@tapthru/stack/stack/test-stack";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { expect, it } from "vitest";

skipWithout("k6");

it("the scripts of k6 get the right responses, delete the links of a key, and count visits", async ({ signal }) => {
  await withTestStack(signal, async ({ baseUrl, settings }) => {
    const k6 = (script: string, env: Record<string, string>) => {
      const file = join(CHECKOUT, "infra", "load", script);
      return execa("k6", ["run", "--no-usage-report", file], { env: { BASE_URL: baseUrl, ...env } });
    };
    const key = await createApiKey(baseUrl, localDatabaseUrl(settings));
    await k6("smoke.js", {});
    await k6("smoke.js", { API_KEY: key });
    // A busy machine may miss the thresholds of durations.
    const viral = await k6("viral.js", { API_KEY: key, PEAK: "5", K6_NO_THRESHOLDS: "true" });
    expect(viral.stdout).toMatch(/✓ people are as many as taps\s+✓ each server is one preview\s+✓ Discord/);
    const headers = { authorization: `Bearer ${key}` };
    const ids = await fetch(baseUrl + listLinkIds.path, { headers });
    expect(await ids.json()).toEqual([]);
  });
}, 600_000);
