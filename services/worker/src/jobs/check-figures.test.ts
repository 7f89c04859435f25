import { createClickReader } from "@tapthru/core/clicks/click-reader";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { WebhookPayload } from "@tapthru/proto/webhook-events";
import { beforeEach, describe, expect, it } from "vitest";
import { NEVER, useDatabase } from "../testing/test-database.ts";
import { addBusyLink, addEarnings } from "../testing/test-figures.ts";
import { addUser, addWebhook } from "../testing/test-webhooks.ts";
import { checkFigures } from "./check-figures.ts";

const HOUR = "2026-11-20T14:00:00.000Z";

const database = await useDatabase();
const { rows } = database;
let userId: number;

beforeEach(async () => {
  userId = await addUser(database);
  await addWebhook(database, userId, { url: "https://hooks.example/" });
});

const check = (clickReader = createClickReader(database.db)) =>
  checkFigures({ db: database.db, clickReader, logger: createTestLogger().logger }, {}, { signal: NEVER });
const events = async () =>
  (
    await rows("SELECT type, data FROM webhook_deliveries WHERE type NOT LIKE 'link.%' ORDER BY data ->> 'shortCode'")
  ).map((row) => WebhookPayload.parse({ ...row, data: { ...Object(row.data), shortUrl: "u" }, timestamp: HOUR }));

describe("clicks", () => {
  const addLink = (name: string, people: readonly number[], owner = userId) =>
    addBusyLink(database, owner, name, people);

  it("of a link that are far from usual are an event, once a day", async () => {
    await addLink("up", [200, 40, 50, 60, 50]);
    await addLink("down", [0, 100, 100, 100, 100]);
    await addLink("steady", [90, 100, 80, 100, 120]);
    await addLink("few", [30, 0, 0, 0, 0]);
    await check();
    await check();
    expect(await events()).toMatchObject([
      { type: "clicks.unusual", data: { shortCode: "down1", hour: HOUR, people: 0, usualPeople: 100 } },
      { type: "clicks.unusual", data: { shortCode: "up1", hour: HOUR, people: 200, usualPeople: 50 } },
    ]);
    await rows("UPDATE recorded_alerts SET key = replace(key, current_date::text, (current_date - 1)::text)");
    await check();
    expect(await events()).toHaveLength(4);
  });

  it("are not compared with weeks before the link, nor for links that do not open", async () => {
    await addLink("expired", [0, 100, 100, 100, 100]);
    await addLink("new", [200, 0, 0, 0, 0]);
    await rows("UPDATE links SET expires_at = now() WHERE short_code = 'expired1'");
    await rows("UPDATE links SET created_at = '2026-11-14' WHERE short_code = 'new1'");
    await check();
    expect(await events()).toEqual([]);
  });

  it("are read only of users whose webhooks want the event, and one user's failure holds up no other", async () => {
    const [bert, carla] = [await addUser(database), await addUser(database)];
    await addWebhook(database, carla, { url: "https://hooks.example/", events: ["link.deleted"] });
    await addWebhook(database, bert, { url: "https://hooks.example/" });
    const owners = { a: userId, b: bert, c: carla };
    for (const [name, owner] of Object.entries(owners)) await addLink(name, [200, 0, 0, 0, 0], owner);
    const links = await rows("SELECT short_code, id::int FROM links");
    const ids = new Map(links.map(({ short_code, id }) => [String(short_code), Number(id)]));
    const store = createClickReader(database.db);
    const read: number[] = [];
    await check({
      ...store,
      async peopleByPeriod(linkIds, range) {
        read.push(...linkIds);
        if (linkIds.includes(ids.get("a1") ?? 0)) throw new Error("unreadable clicks");
        return store.peopleByPeriod(linkIds, range);
      },
    });
    expect(new Set(read)).toEqual(new Set([ids.get("a1"), ids.get("b1")]));
    expect(await events()).toMatchObject([{ data: { shortCode: "b1" } }]);
    expect(await rows("SELECT kind, key FROM failed_items")).toEqual([{ kind: "check-clicks", key: String(userId) }]);
  });
});

describe("earnings", () => {
  const addReport = (earnings: readonly number[], options = {}) => addEarnings(database, userId, earnings, options);
  const week = (amount: number, days = 7) => Array<number>(days).fill(amount);

  it("that fell to half of a usual week are an event, once a week", async () => {
    await addReport([...week(40), ...week(100, 28)]);
    await check();
    await check();
    expect(await events()).toMatchObject([
      {
        type: "earnings.falling",
        data: { marketplace: "de", currency: "EUR", earnings: 280, usualEarnings: 700, lastDay: expect.any(String) },
      },
    ]);
  });

  it.each([
    ["did not fall", [...week(60), ...week(100, 28)], {}],
    ["are not of 35 days", [...week(0), ...week(100, 27)], {}],
    ["ended long ago", [...week(0), ...week(100, 28)], { ago: 20 }],
    ["were stored earlier", [...week(0), ...week(100, 28)], { storedAgo: "3 hours" }],
    ["are of incomplete days", [0, 0, ...week(60), ...week(100, 28)], { ago: 0 }],
  ])("that %s are none", async (_case, earnings, options) => {
    await addReport(earnings, options);
    await check();
    expect(await events()).toEqual([]);
  });
});
