import { createLink, createLinks } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { generate } from "@tapthru/proto/generate";
import { claimLinks, deleteLink } from "@tapthru/proto/links";
import { expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { prepareCalls } from "../testing/prepared-calls.ts";
import { confirmEmail } from "../testing/test-accounts.ts";
import type { TestApi } from "../testing/test-api.ts";
import { addUserLinks, createLink as createVisitorsLink } from "../testing/test-links.ts";
import { logIn, signUpUser, type TestUser } from "../testing/test-user.ts";
import { newVisitor, startApi, startWorld } from "../testing/world.ts";

const SETTINGS = { SMTP_FROM: "hello@tapthru.example", LINKS_PER_ACCOUNT: 30_000, LINKS_PER_UNCONFIRMED_ACCOUNT: 100 };
const { api, ada, eve } = await startWorld(SETTINGS);
const { prepare } = prepareCalls(api);

/** What limits the rows of each column that names a user. "Confirmed": only accounts with a confirmed address have any. */
const LIMITS: Record<string, string> = {
  "account_deletions.user_id": "one of an account, kept for an hour",
  "all_links.user_id": "LINKS_PER_ACCOUNT and LINKS_PER_UNCONFIRMED_ACCOUNT (this file)",
  "api_keys.account_id": "confirmed: of each member as many as of the user",
  "api_keys.owner_id": "the same keys",
  "api_keys.user_id": "confirmed: 20 in an account (keys.test.ts), and 21 accounts",
  "audit_log.actor_id": "as owner_id",
  "audit_log.owner_id": "made by requests, which have limits, and kept for AUDIT_LOG_DAYS",
  "channel_tags.user_id": "one of each of 50 channels and each store",
  "channels.user_id": "50 (channels.test.ts)",
  "clicks.user_id": "one of each link and day, of CLICKS_KEPT_MONTHS",
  "domain_owners.user_id": "one of each host that was a domain; the worker writes it once the host is proven",
  "domains.user_id": "20 (domains.test.ts)",
  "earlier_channel_tags.user_id": "made by requests that change tags of channels, which have limits",
  "earnings_imports.user_id": "confirmed: 500 (earnings-imports.test.ts)",
  "earnings_products.user_id": "the products in the imports",
  "earnings_reports.user_id": "the reports in the imports",
  "labels.user_id": "100 (labels.test.ts)",
  "link_destinations.user_id": "50 of each link (change-link.test.ts)",
  "link_health.user_id": "one of each link",
  "members.account_id": "confirmed: 20 (members.test.ts); expired ones are purged",
  "members.invited_by": "the same rows",
  "members.member_id": "20 (members.test.ts)",
  "onelink_stores.user_id": "one of each store",
  "shared_pages.user_id": "confirmed: 50 (shared-pages.test.ts)",
  "user_clicks.user_id": "one of each day, of CLICKS_KEPT_MONTHS",
  "webhooks.user_id": "confirmed: 10 (webhooks.test.ts)",
};

/** Columns with a foreign key to users, or with the name of one, unless a user has one row at most. */
const references = (at: TestApi) =>
  at.query(`
    SELECT DISTINCT relname || '.' || attname AS reference
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'f' AND confrelid = 'users'::regclass AND attnum = ANY (conkey)
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
      AND (conname IS NOT NULL OR attname IN ('user_id', 'owner_id', 'actor_id', 'invited_by', 'member_id', 'account_id'))
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisunique AND indpred IS NULL
        AND indnkeyatts = 1 AND indkey[0] = attnum)
  `);

const signUpUnconfirmed = async (at: TestApi): Promise<TestUser> => {
  const user = await signUpUser(at);
  await at.query(`
    UPDATE identity."user" SET "emailVerified" = false WHERE id = '${user.uid}';
    UPDATE users SET email_is_verified = false WHERE id = ${user.user.id}
  `);
  return user;
};

const url = (n: number) => `https://www.amazon.de/dp/B${String(n).padStart(9, "0")}`;
const bulk = (count: number, fields = {}) => ({
  body: { links: Array.from({ length: count }, (_, n) => ({ url: url(n), nickname: "n".repeat(200), ...fields })) },
});
const FULL = [409, ERRORS["too-many-links"].message];
const linksOf = async ({ user }: TestUser) =>
  Number((await api.query(`SELECT count(*) FROM all_links WHERE user_id = ${user.id}`))[0]?.count);

it("each table with rows of users has a limit of rows", async () => {
  const found = (await references(api)).map(({ reference }) => reference);
  expect(found.sort()).toEqual(Object.keys(LIMITS).sort());
});

it("rows that only a confirmed account may have come from calls that refuse others", async () => {
  const making = DOCUMENTED_CALLS.filter(({ name }) =>
    [
      "allowConnection",
      "createEarningsImport",
      "createKey",
      "createSharedPage",
      "createWebhook",
      "inviteMember",
    ].includes(name),
  );
  expect(making).toHaveLength(6);
  for (const documented of making) {
    const user = await signUpUnconfirmed(api);
    const { params, headers, ...prepared } = await prepare(documented, user);
    const response = await sendExample(api, prepared, { ...user.browser, ...headers }, params);
    expect([documented.name, await response.text()]).toEqual([documented.name, ERRORS["email-not-confirmed"].message]);
  }
});

it("an account that confirmed nothing has 100 links, in whatever way it makes them", async () => {
  const user = await signUpUnconfirmed(api);
  await user.call(createLinks, bulk(98, { labels: ["New"] }));
  await user.call(createLink, { body: { url: url(1) } });
  const visitor = await newVisitor(api);
  const shortCodes = [await createVisitorsLink(api, visitor), await createVisitorsLink(api, visitor, url(2))];
  const claim = { headers: await logIn(api, user, visitor), body: { userId: user.user.id, shortCodes } };
  expect(await user.refusal(claimLinks, claim)).toEqual(FULL);
  const { id } = await user.call(createLink, { body: { url: url(3) } });
  for (const [call, input] of [
    [createLink, { body: { url: url(4) } }],
    [generate, { body: { url: url(4) } }],
    [createLinks, bulk(1)],
    [createLinks, bulk(1, { labels: ["Other"] })],
    [claimLinks, claim],
  ] as const) {
    expect(await user.refusal(call, input)).toEqual(FULL);
  }
  await user.call(deleteLink, { params: { id: String(id) } });
  expect(await user.refusal(createLink, { body: { url: url(4) } })).toEqual(FULL);
  expect(await linksOf(user)).toBe(100);
  await confirmEmail(api, user);
  expect((await user.call(claimLinks, claim)).results.map(({ error }) => error)).toEqual([null, null]);
  await user.call(createLinks, bulk(100));
});

it("twenty requests at once do not pass the limit of an account that confirmed nothing", async () => {
  const user = await signUpUnconfirmed(api);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 ? user.send(createLinks, bulk(30)) : user.send(createLink, { body: { url: url(n) } }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 201, 409]));
  expect(await linksOf(user)).toBeLessThanOrEqual(100);
});

it("a confirmed account has about as many links as the setting says", async () => {
  await addUserLinks(api, ada.user.id, 20_000);
  await ada.call(createLink, { body: { url: url(1) } });
  await addUserLinks(api, eve.user.id, 10_000);
  await api.query(`UPDATE all_links SET user_id = ${ada.user.id} WHERE user_id = ${eve.user.id}`);
  expect(await ada.refusal(createLink, { body: { url: url(2) } })).toEqual(FULL);
});

it("an account that nobody can confirm has the limit of confirmed ones", async () => {
  const without = await startApi({ LINKS_PER_UNCONFIRMED_ACCOUNT: 1 });
  const user = await signUpUnconfirmed(without);
  await user.call(createLinks, bulk(3));
});

it("links of an account that confirmed nothing use up the budget of visitors", async () => {
  const limited = await startApi({ ...SETTINGS, RATE_LIMITS: "on", ANONYMOUS_CREATES_PER_MINUTE: 1 });
  await limited.redis.del("limit:anonymous-creates:all");
  const user = await signUpUnconfirmed(limited);
  await user.call(createLink, { body: { url: url(1) } });
  expect((await user.refusal(createLink, { body: { url: url(2) } }))[0]).toBe(429);
  await confirmEmail(limited, user);
  await user.call(createLink, { body: { url: url(3) } });
  await limited.redis.del("limit:anonymous-creates:all");
});
