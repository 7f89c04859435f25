import { delivered, recordedDeletion, recordLinks } from "@tapthru/core/events";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import { actAsJob } from "@tapthru/core/platform/actor";
import type { PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import type { WebhookEvent } from "@tapthru/proto/events";
import { eachOwnerField, OWNER_FIELDS } from "@tapthru/proto/owner-fields";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { type LinkState, UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { sql } from "slonik";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { Mail } from "../emails/mailer.ts";
import { reportProblem } from "../jobs/check-domains/report-problem.ts";
import { storeLinkStates, updateLinkHealth } from "../jobs/update-link-health.ts";
import { bulkUpdate, bulkUpdateDeps, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { createTestMailer } from "../testing/test-mailer.ts";
import { addOwnLinks, addUser, addWebhook, testSecrets } from "../testing/test-webhooks.ts";
import { sendWebhooks } from "./send-webhooks.ts";

const URL = "https://hooks.example/";
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const database = await useDatabase();
let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
});

const run = (statement: string) => database.rows(statement);
const events = () => run("SELECT webhook_id, type, data FROM webhook_deliveries ORDER BY created_at");
const types = async () => (await events()).map(({ type }) => type);
const deleteEvents = () => run("TRUNCATE webhook_deliveries");

const CREATOR = { channels: NO_CHANNELS, domain: null };
const CREATED = { ...ID_AND_CODE, recordsLater: false };
const PAGE = "https://amazon.com/dp/B08N5WRWNW";
const page = parseStorePage(PAGE);
if (page === null) throw new Error("The page is of no store");
const LAMP = { destination: { originalUrl: PAGE, page } };
const addLink = (userId: number) => createLinks(bulkUpdateDeps(database), { ...CREATOR, userId }, [LAMP], CREATED);

const isAny = sql.fragment`TRUE`;
const change = (statement: string, event: "link.changed" | "link.claimed" = "link.changed") =>
  actAsJob("a test", () =>
    database.db.transaction((transaction) => recordLinks(transaction, event, isAny, () => run(statement))),
  );

const deleteLinks = () =>
  database.db.query(sql.type(z.object({}))`
    WITH own AS (SELECT * FROM links FOR UPDATE), ${recordedDeletion("own")}
    DELETE FROM links USING own WHERE links.id = own.id
  `);

const LINK = { ...eachOwnerField(() => null), shortCode: expect.any(String), labels: [], takenDown: false };
const NEW_LINK = { ...LINK, id: expect.any(Number), webUrl: "https://amazon.com/dp/B08N5WRWNW", createdAt: TIME };

it("creating, changing and deleting a link records events with the link", async () => {
  const webhook_id = await addWebhook(database, userId, { url: URL });
  await addLink(userId);
  expect(await events()).toEqual([{ webhook_id, type: "link.created", data: NEW_LINK }]);
  await deleteEvents();
  await change("UPDATE links SET nickname = 'Lamp'");
  await change("UPDATE links SET taken_down_at = now()");
  await deleteLinks();
  expect(await events()).toMatchObject([
    { type: "link.changed", data: { ...LINK, nickname: "Lamp" } },
    { type: "link.changed", data: { ...LINK, nickname: "Lamp", takenDown: true } },
    { type: "link.deleted", data: { id: expect.any(Number), shortCode: expect.any(String) } },
  ]);
});

it.each(Object.values(OWNER_FIELDS))("a change of the $column of a link is an event", async ({ column }) => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: URL });
  await change(`UPDATE links SET ${column} = ${column.endsWith("_at") ? "now()" : "'A lamp'"}`);
  expect(await types()).toEqual(["link.changed"]);
});

it("changes that only concern the product page, the channel or the routing record nothing", async () => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: URL });
  await change("UPDATE links SET revision = revision + 1, canonical_url = canonical_url, routing = true");
  await change("UPDATE links SET channel_id = default_channel(user_id)");
  expect(await events()).toEqual([]);
});

it("renaming and deleting a label changes its links", async () => {
  await addOwnLinks(database, userId, { name: "lamp", count: 2 });
  await run(`
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT id, name, name, 'red' FROM users, unnest(ARRAY['a', 'b']) AS name;
    INSERT INTO link_labels SELECT links.id, labels.id FROM links CROSS JOIN labels
  `);
  await addWebhook(database, userId, { url: URL });
  const relayed = async (name: string, statement: string, isDeleted = false) => {
    const [row] = await run(`SELECT id FROM labels WHERE name = '${name}'`);
    await run(statement);
    await addBulkUpdate(database.db, "label", { userId: 1, labelId: Number(row?.id), isDeleted });
    while (await bulkUpdate(database, "label"));
    const data = (await events()).map((event) => event.data);
    await deleteEvents();
    return data;
  };
  expect(await relayed("b", "UPDATE labels SET name = 'c' WHERE name = 'b'")).toMatchObject(
    Array(2).fill({ labels: ["a", "c"] }),
  );
  expect(await relayed("a", "DELETE FROM labels WHERE name = 'a'", true)).toMatchObject(
    Array(2).fill({ labels: ["c"] }),
  );
  expect(await run("SELECT FROM link_labels")).toHaveLength(2);
});

it("several events of a link in one transaction are one, with the link as it is then", async () => {
  await addWebhook(database, userId, { url: URL });
  await database.db.transaction(async (transaction) => {
    await createLinks({ ...bulkUpdateDeps(database), db: transaction }, { ...CREATOR, userId }, [LAMP], CREATED);
    const rename = sql.type(z.object({}))`UPDATE links SET nickname = 'Lamp'`;
    await recordLinks(transaction, "link.changed", isAny, () => transaction.query(rename));
  });
  expect(await events()).toMatchObject([{ type: "link.created", data: { nickname: "Lamp" } }]);
});

it("a link that a user claims is new to them", async () => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await run("UPDATE links SET user_id = NULL, claim_hash = sha256('a token'), expires_at = now() + interval '1 day'");
  await addWebhook(database, userId, { url: URL });
  await change(`UPDATE links SET user_id = ${userId}, expires_at = NULL`, "link.claimed");
  expect(await types()).toEqual(["link.created"]);
});

it("records only chosen events, only of the user, and nothing while a webhook is disabled", async () => {
  await addWebhook(database, userId, { url: URL, events: ["link.deleted", "domain.failing"] });
  const disabled = await addWebhook(database, userId, { url: URL });
  await run(`UPDATE webhooks SET disabled_at = now() WHERE id = ${disabled}`);
  await addWebhook(database, await addUser(database), { url: URL });
  await addLink(userId);
  await change("UPDATE links SET nickname = 'Lamp'");
  expect(await events()).toEqual([]);
});

describe("the health of a link", () => {
  beforeEach(async () => {
    await addOwnLinks(database, userId, { name: "lamp" });
    await addWebhook(database, userId, { url: URL, events: ["link.unhealthy"] });
  });
  const update = () => workNow(bulkUpdateDeps(database), updateLinkHealth);
  const setState = async (state: LinkState) => {
    const linkId = await database.db.oneFirst(sql.type(z.object({ id: z.int() }))`SELECT id FROM links`);
    await storeLinkStates(database.db, [{ linkId, state }]);
  };
  const changes = async () =>
    (await events()).map(({ data }) => {
      const { previousState, state } = (data as { health: Record<string, unknown> }).health;
      return `${previousState} > ${state}`;
    });

  it("a link that becomes bad causes one event with the link and its state, although the job is repeated", async () => {
    await update();
    const health = { state: "tag-missing", previousState: "unknown", since: TIME };
    expect(await events()).toMatchObject([{ type: "link.unhealthy", data: { health } }]);
    expect((await events())[0]?.data).toEqual({ ...NEW_LINK, health });
    await run("UPDATE link_health SET is_stale = true");
    await Promise.all(Array.from({ length: 3 }, update));
    expect(await changes()).toEqual(["unknown > tag-missing"]);
  });

  it.each(UNHEALTHY_STATES)("the health '%s' of a link is an event, and its end is none", async (state) => {
    for (const next of ["ok", state, state, "unknown", "ok"] as const) await setState(next);
    expect(await changes()).toEqual([`ok > ${state}`]);
  });

  it("a change to another bad state is an event", async () => {
    for (const state of ["out-of-stock", "product-gone"] as const) await setState(state);
    expect(await changes()).toEqual(["unknown > out-of-stock", "out-of-stock > product-gone"]);
  });

  it.each([
    ["of a link that was taken down", "UPDATE links SET taken_down_at = now()"],
    ["of an expired link", "UPDATE links SET expires_at = now()"],
    ["while the webhook is disabled", "UPDATE webhooks SET disabled_at = now()"],
    ["for a webhook without the event", "UPDATE webhooks SET events = '{link.changed}'"],
    ["for webhooks of other users", "UPDATE webhooks SET user_id = (SELECT max(id) FROM users)"],
  ])("a link's health causes no event %s", async (_case, statement) => {
    await addUser(database);
    await run(statement);
    await deleteEvents();
    await setState("product-gone");
    expect(await changes()).toEqual([]);
  });
});

const { db, rows } = database;

const MAKE: Record<WebhookEvent, (userId: number) => Promise<unknown>> = {
  "link.created": addLink,
  "link.changed": async (userId) => {
    await addLink(userId);
    await change("UPDATE links SET nickname = 'Lamp'");
  },
  "link.deleted": async (userId) => {
    await addLink(userId);
    await deleteLinks();
  },
  "link.unhealthy": async (userId) => {
    await addOwnLinks(database, userId, { name: "lamp" });
    await workNow(bulkUpdateDeps(database), updateLinkHealth);
  },
  "domain.failing": async (userId) => {
    await rows("INSERT INTO domains (user_id, host, proof) VALUES ($1, 'go.t.example', '')", [userId]);
    const [domain] = await rows("SELECT id FROM domains");
    await reportProblem(db, Number(domain?.id), { problem: "no-record", since: Date.now(), offAt: Date.now() });
  },
  // The api records it.
  "link.reported": async (userId) => {
    const report = { shortCode: "lamp1", webUrl: PAGE, reason: "spam", count: 1 };
    const reported = sql.fragment`SELECT ${userId}::integer AS owner_id, NULL::bigint AS link_id, ${sql.jsonb(report)} AS data`;
    await db.query(sql.type(z.object({}))`WITH ${delivered("link.reported", reported)} SELECT`);
  },
};

const TYPES = Object.keys(MAKE) as WebhookEvent[];

it.each(TYPES)("%s is an event that people read as a sentence, in a chat and by email", async (type) => {
  const userId = await addUser(database, "anna", true);
  for (const url of ["mailto:", "https://hooks.slack.com/services/x"]) {
    await addWebhook(database, userId, { url, events: [type] });
  }
  await MAKE[type](userId);
  const mails: { mail: Mail }[] = [];
  const postWebhook = vi.fn<PostWebhook>(async () => ({ status: 200, retryAfter: null }));
  const app = {
    db,
    postWebhook,
    mailer: createTestMailer(mails as []),
    publicBaseUrl: "https://t.example",
    webhookSecrets: testSecrets,
    logger: createTestLogger().logger,
  };
  await workNow(app, sendWebhooks);
  const { text } = JSON.parse(String(postWebhook.mock.calls[0]?.[0].body));
  const subject = mails[0]?.mail.subject ?? "";
  expect(text.replaceAll("&lt;", "<")).toMatch(/^\S.+\. https:\/\/t\.example\/\S+$/);
  expect(text).toContain(subject);
  expect(subject).toMatch(/^\S.{10,}\.$/);
  expect(subject).not.toMatch(/NaN|undefined|null|\[object| {2}|An event of the type/);
  const stored = await rows("SELECT type, error, response_status FROM webhook_deliveries ORDER BY response_status");
  expect(stored).toEqual([200, 250].map((response_status) => ({ type, error: null, response_status })));
});
