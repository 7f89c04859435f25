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

it("the scripts of k6 get the right responses, and delete the links of an API key", async ({ signal }) => {
  await withTestStack(signal, async ({ baseUrl, settings }) => {
    const smoke = (env: Record<string, string>) => {
      const file = join(CHECKOUT, "infra", "load", "smoke.js");
      return execa("k6", ["run", "--no-usage-report", file], { env: { BASE_URL: baseUrl, ...env } });
    };
    await smoke({});
    const key = await createApiKey(baseUrl, localDatabaseUrl(settings));
    await smoke({ API_KEY: key });
    const headers = { authorization: `Bearer ${key}` };
    const ids = await fetch(baseUrl + listLinkIds.path, { headers });
    expect(await ids.json()).toEqual([]);
  });
}, 300_000);
