import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { beforeEach, describe, expect, it } from "vitest";
import { updateLinkHealth } from "../jobs/update-link-health.ts";
import { massChangeDeps, NEVER, useDatabase } from "../testing/test-database.ts";
import { addOwnLinks, addUser, addWebhook } from "../testing/test-webhooks.ts";

const database = await useDatabase();
let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
  await addOwnLinks(database, userId, { name: "lamp" });
  await addWebhook(database, userId, { url: "https://hooks.example/", events: ["link.unhealthy"] });
});

const deps = () => massChangeDeps(database);
const run = (statement: string) => database.rows(statement);
const setState = (state: string) => run(`UPDATE link_health SET state = '${state}', since = now()`);
const events = () => run("SELECT type, data FROM webhook_deliveries ORDER BY created_at");
const changes = async () =>
  (await events()).map(({ data }) => {
    const { previousState, state } = (data as { health: Record<string, unknown> }).health;
    return `${previousState} > ${state}`;
  });

it("a link that becomes unhealthy records an event with the link and its state", async () => {
  await updateLinkHealth(deps(), {}, { signal: NEVER });
  expect(await events()).toEqual([
    {
      type: "link.unhealthy",
      data: {
        id: expect.any(Number),
        shortCode: "lamp1",
        webUrl: "https://amazon.com/dp/B08N5WRWNW",
        title: null,
        nickname: null,
        fallbackUrl: null,
        labels: [],
        takenDown: false,
        expiresAt: null,
        createdAt: expect.any(String),
        health: {
          state: "tag-missing",
          previousState: "unknown",
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      },
    },
  ]);
});

it("a repeated job records nothing more", async () => {
  await updateLinkHealth(deps(), {}, { signal: NEVER });
  await run("UPDATE link_health SET is_stale = true");
  await Promise.all(Array.from({ length: 3 }, () => updateLinkHealth(deps(), {}, { signal: NEVER })));
  expect(await changes()).toEqual(["unknown > tag-missing"]);
});

it.each(UNHEALTHY_STATES)("%s is an event, and its end is none", async (state) => {
  await setState("ok");
  await setState(state);
  await setState(state);
  await setState("unknown");
  await setState("ok");
  expect(await changes()).toEqual([`ok > ${state}`]);
});

it("each change to another unhealthy state is an event", async () => {
  await setState("out-of-stock");
  await setState("product-gone");
  expect(await changes()).toEqual(["unknown > out-of-stock", "out-of-stock > product-gone"]);
});

describe("records nothing", () => {
  it.each([
    ["of a link that was taken down", "UPDATE links SET taken_down_at = now()"],
    ["of an expired link", "UPDATE links SET expires_at = now()"],
    ["while the webhook is disabled", "UPDATE webhooks SET disabled_at = now()"],
    ["for a webhook without the event", "UPDATE webhooks SET events = '{link.changed}'"],
    ["for webhooks of other users", "UPDATE webhooks SET user_id = (SELECT max(id) FROM users)"],
  ])("%s", async (_case, statement) => {
    await addUser(database);
    await run(statement);
    await run("TRUNCATE webhook_deliveries");
    await setState("product-gone");
    expect(await changes()).toEqual([]);
  });
});
