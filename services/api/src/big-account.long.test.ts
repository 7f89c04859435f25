import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { seedBigAccount } from "@tapthru/postgres/testing/big-account";
import type { CallName } from "@tapthru/proto/calls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "./testing/documented-calls.ts";
import { prepareCalls } from "./testing/prepared-calls.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { startWorld } from "./testing/world.ts";

const amazon = await startAmazonStandIn();
afterAll(() => amazon.stop());
const { api, ada } = await startWorld({ TLS: "on", EGRESS_STAND_IN_URL: amazon.url }, { productionLimits: true });
const { prepare } = prepareCalls(api);

beforeAll(async () => {
  await makeOperator(api, ada);
  await seedBigAccount(api.database, ada.user.id);
});

// Each call inserts what it is about under the same names.
beforeEach(() =>
  api.query(`
    DELETE FROM links WHERE short_code = 'u${ada.user.id}n1';
    DELETE FROM labels WHERE name_key IN ('old', 'new');
    DELETE FROM channels WHERE name_key IN ('old', 'new');
    DELETE FROM channel_tags USING channels WHERE channels.id = channel_id AND is_default;
    TRUNCATE link_patterns, api_keys, webhooks, amazon_ads_connections, invitations, imports CASCADE;
  `),
);

/** They end the session or the account. */
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

it.each(calls)("$name keeps to the statement limit for a user with 1,000,000 links", async (documented) => {
  api.lines.length = 0;
  const { params, headers, ...prepared } = await prepare(documented, ada);
  const response = await sendExample(api, prepared, { ...ada.browser, ...headers }, params);
  expect([response.status < 500, await response.text()]).toEqual([true, expect.anything()]);
  expect(api.lines.filter(({ level }) => level === "error")).toEqual([]);
});
