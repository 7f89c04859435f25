import { addMassChange } from "@tapthru/core/links/mass-changes";
import type { PostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { eachOwnerField, OWNER_FIELDS } from "@tapthru/proto/owner-fields";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import type { WebhookEvent } from "@tapthru/proto/webhook-events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Mail } from "../emails/mailer.ts";
import { finishImport } from "../jobs/run-import/queries.ts";
import { updateLinkHealth } from "../jobs/update-link-health.ts";
import { massChange, massChangeDeps, NEVER, useDatabase } from "../testing/test-database.ts";
import { addImport } from "../testing/test-imports.ts";
import { createTestMailer } from "../testing/test-mailer.ts";
import { addOwnLinks, addUser, addWebhook, testSecrets } from "../testing/test-webhooks.ts";
import { deliverBatch } from "./deliver-batch.ts";
import { leaseWebhooks } from "./queries.ts";

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

/** The link that `addOwnLinks` adds with the name "lamp". */
const LINK = { ...eachOwnerField(() => null), shortCode: "lamp1", labels: [], takenDown: false };
const NEW_LINK = { ...LINK, id: expect.any(Number), webUrl: "https://amazon.com/dp/B08N5WRWNW", createdAt: TIME };

it("creating, changing and deleting a link records events with the link", async () => {
  const webhook_id = await addWebhook(database, userId, { url: URL });
  await addOwnLinks(database, userId, { name: "lamp" });
  expect(await events()).toEqual([{ webhook_id, type: "link.created", data: NEW_LINK }]);
  await deleteEvents();
  await run("UPDATE links SET nickname = 'Lamp'");
  await run("UPDATE links SET taken_down_at = now()");
  await run("DELETE FROM links");
  expect(await events()).toMatchObject([
    { type: "link.changed", data: { ...LINK, nickname: "Lamp" } },
    { type: "link.changed", data: { ...LINK, nickname: "Lamp", takenDown: true } },
    { type: "link.deleted", data: { id: expect.any(Number), shortCode: "lamp1" } },
  ]);
});

it.each(Object.values(OWNER_FIELDS))("a change of the $column of a link is an event", async ({ column }) => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: URL });
  await run(`UPDATE links SET ${column} = ${column.endsWith("_at") ? "now()" : "'A lamp'"}`);
  expect(await types()).toEqual(["link.changed"]);
});

it("changes that only concern the product page record nothing", async () => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: URL });
  await run("UPDATE links SET revision = revision + 1, product_revision = 3");
  expect(await events()).toEqual([]);
});

describe("labels", () => {
  beforeEach(async () => {
    await addOwnLinks(database, userId, { name: "lamp", count: 2 });
    await run(`
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT id, name, name, 'red' FROM users, unnest(ARRAY['a', 'b']) AS name
    `);
    await addWebhook(database, userId, { url: URL });
  });
  const label = () => run("INSERT INTO link_labels SELECT links.id, labels.id FROM links CROSS JOIN labels");

  it("adding, renaming and deleting labels changes their links, once for each transaction", async () => {
    await label();
    expect(await events()).toMatchObject(Array(2).fill({ type: "link.changed", data: { labels: ["a", "b"] } }));
    await deleteEvents();
    const relayed = async () => {
      expect(await events()).toEqual([]);
      while (await massChange(database, "label"));
      const data = (await events()).map((event) => event.data);
      await deleteEvents();
      return data;
    };
    const change = async (name: string, statement: string, isDeleted = false) => {
      const [row] = await run(`SELECT id FROM labels WHERE name = '${name}'`);
      await run(statement);
      await addMassChange(database.db, "label", { userId: 1, labelId: Number(row?.id), isDeleted });
    };
    await change("b", "UPDATE labels SET name = 'c' WHERE name = 'b'");
    expect(await relayed()).toMatchObject(Array(2).fill({ labels: ["a", "c"] }));
    await change("a", "DELETE FROM labels WHERE name = 'a'", true);
    expect(await relayed()).toMatchObject(Array(2).fill({ labels: ["c"] }));
    expect(await run("SELECT FROM link_labels")).toHaveLength(2);
  });

  it("a link that is created with labels records one event", async () => {
    await deleteEvents();
    await addWebhook(database, userId, { url: URL, events: ["link.changed"] });
    await run(`
      BEGIN;
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'desk', original_url, web_url, deep_link, user_id FROM links LIMIT 1;
      INSERT INTO link_labels
      SELECT links.id, labels.id FROM links CROSS JOIN labels WHERE short_code = 'desk';
      COMMIT
    `);
    expect(await events()).toMatchObject([{ type: "link.created", data: { shortCode: "desk", labels: ["a", "b"] } }]);
  });
});

it("a link that a user claims is new to them", async () => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await run("UPDATE links SET user_id = NULL, claim_hash = sha256('a token')");
  await addWebhook(database, userId, { url: URL });
  await run(`UPDATE links SET user_id = ${userId}`);
  expect(await types()).toEqual(["link.created"]);
});

it("an import that ends records an event in its transaction", async () => {
  const id = await addImport(database, [{ url: "https://www.amazon.com/dp/B08N5WRWNW" }]);
  const [owner] = await run("SELECT user_id FROM imports");
  await addWebhook(database, Number(owner?.user_id), { url: URL });
  await database.db
    .transaction(async (transaction) => {
      await finishImport(transaction, id);
      throw new Error("rolled back");
    })
    .catch(() => {});
  expect(await events()).toEqual([]);
  await finishImport(database.db, id);
  const counts = { lines: 1, links: 1, replaced: 0, refused: 0, created: 0 };
  expect(await events()).toMatchObject([{ type: "import.finished", data: { id, fileName: null, counts } }]);
});

it("records only chosen events, only of the user, and nothing while a webhook is disabled", async () => {
  await addWebhook(database, userId, { url: URL, events: ["link.deleted", "import.finished"] });
  const disabled = await addWebhook(database, userId, { url: URL });
  await run(`UPDATE webhooks SET disabled_at = now() WHERE id = ${disabled}`);
  await addWebhook(database, await addUser(database), { url: URL });
  await addOwnLinks(database, userId, { name: "lamp" });
  await run("UPDATE links SET nickname = 'Lamp'");
  expect(await events()).toEqual([]);
});

describe("the health of a link", () => {
  beforeEach(async () => {
    await addOwnLinks(database, userId, { name: "lamp" });
    await addWebhook(database, userId, { url: URL, events: ["link.unhealthy"] });
  });
  const update = () => updateLinkHealth(massChangeDeps(database), {}, { signal: NEVER });
  const setState = (state: string) => run(`UPDATE link_health SET state = '${state}', since = now()`);
  const changes = async () =>
    (await events()).map(({ data }) => {
      const { previousState, state } = (data as { health: Record<string, unknown> }).health;
      return `${previousState} > ${state}`;
    });

  it("that becomes bad is an event with the link and its state, once although the job is repeated", async () => {
    await update();
    const health = { state: "tag-missing", previousState: "unknown", since: TIME };
    expect(await events()).toMatchObject([{ type: "link.unhealthy", data: { health } }]);
    expect((await events())[0]?.data).toEqual({ ...NEW_LINK, health });
    await run("UPDATE link_health SET is_stale = true");
    await Promise.all(Array.from({ length: 3 }, update));
    expect(await changes()).toEqual(["unknown > tag-missing"]);
  });

  it.each(UNHEALTHY_STATES)("that is %s is an event, and its end is none", async (state) => {
    for (const next of ["ok", state, state, "unknown", "ok"]) await setState(next);
    expect(await changes()).toEqual([`ok > ${state}`]);
  });

  it("that changes to another bad state is an event", async () => {
    for (const state of ["out-of-stock", "product-gone"]) await setState(state);
    expect(await changes()).toEqual(["unknown > out-of-stock", "out-of-stock > product-gone"]);
  });

  it.each([
    ["of a link that was taken down", "UPDATE links SET taken_down_at = now()"],
    ["of an expired link", "UPDATE links SET expires_at = now()"],
    ["while the webhook is disabled", "UPDATE webhooks SET disabled_at = now()"],
    ["for a webhook without the event", "UPDATE webhooks SET events = '{link.changed}'"],
    ["for webhooks of other users", "UPDATE webhooks SET user_id = (SELECT max(id) FROM users)"],
  ])("is no event %s", async (_case, statement) => {
    await addUser(database);
    await run(statement);
    await deleteEvents();
    await setState("product-gone");
    expect(await changes()).toEqual([]);
  });
});

const { db, rows } = database;

const addLink = (userId: number) => addOwnLinks(database, userId, { name: "lamp" });
const changeLink = (change: string) => async (userId: number) => {
  await addLink(userId);
  await rows(change);
};

/** Makes an event of each type; a missing one is a compile error. */
const MAKE: Record<WebhookEvent, (userId: number) => Promise<unknown>> = {
  "link.created": addLink,
  "link.changed": changeLink("UPDATE links SET nickname = 'Lamp'"),
  "link.deleted": changeLink("DELETE FROM links"),
  "link.unhealthy": changeLink("UPDATE link_health SET state = 'product-gone'"),
  "import.finished": async (userId) => {
    const id = await addImport(database, [{ url: "https://www.amazon.com/dp/B08N5WRWNW" }]);
    await rows("UPDATE imports SET user_id = $1", [userId]);
    await finishImport(db, id);
  },
  "domain.failing": async (userId) => {
    await rows("INSERT INTO domains (user_id, host, proof) VALUES ($1, 'go.t.example', '')", [userId]);
    await rows("SELECT report_failing_domain(id, 'no-record', now(), now()) FROM domains");
  },
  "link.reported": async (userId) => {
    await addLink(userId);
    await rows("UPDATE users SET is_operator = true");
    await rows("INSERT INTO abuse_reports (short_code, reason) VALUES ('lamp1', 'spam')");
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
  };
  const leases = await leaseWebhooks(db, { limit: 2, perUser: 2, slowLimit: 2, leaseMs: 60_000 });
  for (const lease of leases) await deliverBatch(app, lease, { stopping: NEVER, aborting: NEVER });
  const { text } = JSON.parse(String(postWebhook.mock.calls[0]?.[0].body));
  const subject = mails[0]?.mail.subject ?? "";
  expect(text.replaceAll("&lt;", "<")).toMatch(/^\S.+\. https:\/\/t\.example\/\S+$/);
  expect(text).toContain(subject);
  expect(subject).toMatch(/^\S.{10,}\.$/);
  expect(subject).not.toMatch(/NaN|undefined|null|\[object| {2}|An event of the type/);
  const stored = await rows("SELECT type, error, response_status FROM webhook_deliveries ORDER BY response_status");
  expect(stored).toEqual([200, 250].map((response_status) => ({ type, error: null, response_status })));
});
