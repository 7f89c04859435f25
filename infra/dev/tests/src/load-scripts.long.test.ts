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

it("the scripts of k6 get the right responses, delete the links of an API key, and compare clicks of each class", async ({
  signal,
}) => {
  await withTestStack(signal, async ({ baseUrl, settings }) => {
    const k6 = (script: string, env: Record<string, string>, reject = true) => {
      const file = join(CHECKOUT, "infra", "load", script);
      return execa("k6", ["run", "--no-usage-report", file], { env: { BASE_URL: baseUrl, ...env }, reject });
    };
    await k6("smoke.js", {});
    // It may miss its threshold of durations.
    const { stdout } = await k6("clicks.js", { RATE: "2", DURATION: "2s" }, false);
    expect(stdout).toContain("✓ each class has as many clicks as visits");

    const key = await createApiKey(baseUrl, localDatabaseUrl(settings));
    await k6("smoke.js", { API_KEY: key });
    const headers = { authorization: `Bearer ${key}` };
    const ids = await fetch(baseUrl + listLinkIds.path, { headers });
    expect(await ids.json()).toEqual([]);
  });
}, 300_000);
