import { addMassChange } from "@tapthru/core/links/mass-changes";
import { eachOwnerField, OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { beforeEach, describe, expect, it } from "vitest";
import { finishImport } from "../jobs/run-import/queries.ts";
import { massChange, useDatabase } from "../testing/test-database.ts";
import { addImport } from "../testing/test-imports.ts";
import { addOwnLinks, addUser, addWebhook } from "../testing/test-webhooks.ts";

const URL = "https://hooks.example/";

const database = await useDatabase();
let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
});

const run = (statement: string) => database.rows(statement);
const events = () => run("SELECT webhook_id, type, data FROM webhook_deliveries ORDER BY created_at");
const types = async () => (await events()).map(({ type }) => type);
const deleteEvents = () => run("TRUNCATE webhook_deliveries");

it("creating, changing and deleting a link records events with the link", async () => {
  const webhook_id = await addWebhook(database, userId, { url: URL });
  await addOwnLinks(database, userId, { name: "lamp" });
  const ownerFields = eachOwnerField(() => null);
  const link = { ...ownerFields, shortCode: "lamp1", labels: [], takenDown: false };
  expect(await events()).toEqual([
    {
      webhook_id,
      type: "link.created",
      data: {
        ...link,
        id: expect.any(Number),
        webUrl: "https://amazon.com/dp/B08N5WRWNW",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    },
  ]);
  await deleteEvents();
  await run("UPDATE links SET nickname = 'Lamp'");
  await run("UPDATE links SET taken_down_at = now()");
  await run("DELETE FROM links");
  expect(await events()).toMatchObject([
    { type: "link.changed", data: { ...link, nickname: "Lamp" } },
    { type: "link.changed", data: { ...link, nickname: "Lamp", takenDown: true } },
    { type: "link.deleted", data: { id: expect.any(Number), shortCode: "lamp1" } },
  ]);
});

it.each(Object.values(OWNER_TEXTS))("a change of the $column of a link is an event", async ({ column }) => {
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: URL });
  await run(`UPDATE links SET ${column} = 'A lamp'`);
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
      await addMassChange(database.db, "label", { labelId: Number(row?.id), isDeleted });
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
