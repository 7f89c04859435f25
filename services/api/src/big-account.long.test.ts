import { costlyStatements, explainStatements } from "@tapthru/core/platform/testing/statement-costs";
import { seedBigAccount } from "@tapthru/postgres/testing/big-account";
import type { CallName } from "@tapthru/proto/calls";
import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { DOCUMENTED_CALLS, queriesOf, sendExample } from "./testing/documented-calls.ts";
import { prepareCalls } from "./testing/prepared-calls.ts";
import { addKey } from "./testing/test-keys.ts";
import { connectMcp, MCP_INPUTS } from "./testing/test-mcp.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { startOwnAmazon, startWorld } from "./testing/world.ts";

const amazon = await startOwnAmazon();
const { api, ada } = await startWorld({ TLS: "on", EGRESS_STAND_IN_URL: amazon.url });
const { prepare } = prepareCalls(api);

beforeAll(async () => {
  await makeOperator(api, ada);
  await seedBigAccount(api.database, ada.user.id);
  await explainStatements(api.database);
}, 600_000);

// Each call inserts what it is about under the same names.
beforeEach(() =>
  api.query(`
    DELETE FROM all_links WHERE short_code = 'u${ada.user.id}n1';
    DELETE FROM labels WHERE name_key IN ('old', 'new');
    DELETE FROM channels WHERE name_key IN ('old', 'new');
    DELETE FROM channel_tags USING channels WHERE channels.id = channel_id AND is_default;
    TRUNCATE api_keys, webhooks, amazon_ads_connections, invitations CASCADE;
  `),
);

const LAST: readonly CallName[] = [
  "logout",
  "endSession",
  "replaceSessions",
  "endAllSessions",
  "updateUser",
  "deleteAccount",
];
const calls = [
  ...DOCUMENTED_CALLS.filter(({ name }) => !LAST.includes(name)),
  ...DOCUMENTED_CALLS.filter(({ name }) => name === "deleteAccount"),
].filter(
  // Amazon Ads is not set up here.
  ({ name, access }) => name !== "getAmazonAdsAuthUrl" && access.some((all) => all.includes("session")),
);

/** The start of a file with all links is enough: what follows is read by the same statements. */
async function startOf({ body }: Response): Promise<string> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > 1_000_000) break;
  }
  return text;
}

const Counted = z.object({ linkCount: z.int() });

it("the links of a channel and of a domain are counted up to 10,000", async () => {
  const counts = [];
  for (const path of ["/api/channels", "/api/domains"]) {
    const response = await api.request("GET", path, ada.browser);
    counts.push(...z.parse(z.array(Counted), await response.json()));
  }
  expect(Math.max(...counts.map(({ linkCount }) => linkCount))).toBe(10_000);
});

it.each([{}, { sort: "name" }, { sort: "clicks" }, { sort: "last-tap" }, { limit: "100" }])(
  "the list of links %j reads little for this user, also its next page",
  async (query: Record<string, string>) => {
    api.lines.length = 0;
    const pageAfter = async (cursor: Record<string, string>) => {
      const path = `/api/links?${new URLSearchParams({ ...query, ...cursor })}`;
      const response = await api.request("GET", path, ada.browser);
      expect([response.status, await response.json()]).toEqual([200, expect.arrayContaining([expect.any(Object)])]);
      return new URL(/<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? "", api.url);
    };
    const cursor = (await pageAfter({})).searchParams.get("cursor") ?? "";
    expect(cursor).not.toBe("");
    await pageAfter({ cursor });
    expect(costlyStatements(api.lines)).toEqual([]);
  },
);

it.each(Object.entries(MCP_INPUTS))(
  "the tool %s of MCP reads little for this user",
  { timeout: 1_800_000 },
  async (name, input) => {
    const { client, call } = await connectMcp(api, (await addKey(api, ada)).script);
    onTestFinished(() => client.close());
    const [link] = await api.query(
      `SELECT short_code FROM links WHERE user_id = ${ada.user.id} ORDER BY id DESC LIMIT 1`,
    );
    api.lines.length = 0;
    const given = "shortCode" in input ? { ...input, shortCode: String(link?.short_code) } : input;
    expect(await call(name, given)).toEqual(expect.any(Object));
    expect(costlyStatements(api.lines)).toEqual([]);
  },
);

it.each(calls)("$name reads little for a user with 1,000,000 links", { timeout: 1_800_000 }, async (documented) => {
  api.lines.length = 0;
  const { params, headers, ...prepared } = await prepare(documented, ada);
  for (const query of queriesOf(prepared.call)) {
    const example = { ...prepared.call.example, query };
    const call = { ...prepared.call, example };
    const response = await sendExample(api, { call }, { ...ada.browser, ...headers }, params);
    expect([query, response.status < 500, await startOf(response)]).toEqual([query, true, expect.anything()]);
  }
  expect(api.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(costlyStatements(api.lines)).toEqual([]);
});
