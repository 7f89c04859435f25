import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { databaseForFile, eventually } from "../testing/start-world.ts";
import {
  DESKTOP,
  liveRecord,
  newCode,
  newUserId,
  startTestService,
  type TestService,
  WEB_URL,
} from "../testing/test-service.ts";

const NEW_URL = "https://www.amazon.de/dp/B0NEWNEW11?tag=me-21";

const database = await databaseForFile();
let redis: ControlledRedis;
let postgres: TcpProxy;
let replicas: TestService[];
let code: string;

beforeEach(async () => {
  redis = await startRedis();
  postgres = await createTcpProxy(database.url);
  replicas = [await startReplica(), await startReplica()];
  code = newCode();
});
afterEach(async () => {
  vi.restoreAllMocks();
  postgres.release();
  for (const replica of replicas) await replica.stop();
  await postgres.refuse().catch(() => {});
  await redis.remove();
});

/** Redis hangs in some tests, so its budgets are one second. */
const startReplica = () =>
  startTestService({ databaseUrl: postgres.url, redisUrl: redis.url }, { redisBudgetMs: 1_000, queueBudgetMs: 1_000 });

const get = (replica: TestService) => replica.app.inject({ url: `/l/${code}`, headers: { "user-agent": DESKTOP } });
const first = () => replicas[0] as TestService;
const getFromAll = () => Promise.all(replicas.map(get));
const statuses = async () => (await getFromAll()).map(({ statusCode }) => statusCode);
const locations = async () => (await getFromAll()).map(({ headers }) => headers.location);
const cachedBy = ({ context }: TestService) => context.resolverStack.memory.get(code);

/** Writes the record and announces the change, as the api does after its write to Postgres. */
const project = (record: Parameters<TestService["context"]["redirectStore"]["put"]>[1]) =>
  first().context.redirectStore.put(code, record);

/** Inserts the link and loads it into the memory of both replicas. */
async function cacheLink(): Promise<void> {
  await database.insertLink(code);
  expect(await statuses()).toEqual([302, 302]);
  for (const replica of replicas) expect(cachedBy(replica)).toBeDefined();
}

const deleted = { state: "gone", revision: 2, reason: "deleted" } as const;
const inRedis = (replica: TestService) => replica.context.redirectStore.get(code);

/** Advances the clock as if the process had been suspended. */
function suspend(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

describe("what an owner decides", () => {
  let owner: number;
  const TAGGED = WEB_URL.replace("me-21", "new-21");

  beforeEach(async () => {
    owner = newUserId();
    await database.client.query(`
      INSERT INTO users (id, username, email, firebase_uid) VALUES (${owner}, '${owner}', '${owner}', '${owner}');
      INSERT INTO channel_tags VALUES (default_channel(${owner}), ${owner}, 'de', 'me-21')`);
    const { rows } = await database.client.query(`SELECT default_channel(${owner}) AS id`);
    await database.insertLink(code, {
      user_id: owner,
      channel_id: rows[0].id,
      follows_channel: true,
      marketplace: "de",
    });
    expect(await locations()).toEqual([WEB_URL, WEB_URL]);
  });

  /** As changeOwner does, with a change in the same transaction. */
  const change = (statement: string) =>
    database.client.query(`${statement};
      WITH owner AS (UPDATE users SET revision = revision + 1 WHERE id = ${owner} RETURNING revision)
      INSERT INTO link_changes (short_code, revision) SELECT '~${owner}', revision FROM owner`);
  const TAG = () => `UPDATE channel_tags SET tag = 'new-21' WHERE user_id = ${owner}`;
  const BLOCK = () => `UPDATE users SET state = 'blocked' WHERE id = ${owner}`;

  it.each([
    ["with Redis up", async () => {}],
    ["with Redis killed", () => redis.kill()],
    ["with Redis unresponsive", async () => redis.freeze()],
  ])("an owner's decision reaches their links in both replicas without a change of the links, %s", async (_, fail) => {
    await fail();
    await change(TAG());
    await eventually(async () => expect(await locations()).toEqual([TAGGED, TAGGED]));
    await change(BLOCK());
    await eventually(async () => expect(await statuses()).toEqual([410, 410]));
    await change(BLOCK().replace("blocked", "enabled"));
    await eventually(async () => expect(await locations()).toEqual([TAGGED, TAGGED]));
  });

  it("an owner's decision reaches a link that is younger than their record", async () => {
    const { rows } = await database.client.query(`
      WITH blog AS (INSERT INTO channels (user_id, name, name_key) VALUES (${owner}, 'Blog', 'blog') RETURNING id)
      INSERT INTO channel_tags SELECT id, ${owner}, 'de', 'blog-21' FROM blog RETURNING channel_id AS id`);
    code = newCode();
    const webUrl = WEB_URL.replace("me-21", "");
    await project(liveRecord({ webUrl, owner: `~${owner}`, channelId: rows[0].id, followsChannel: true }));
    expect(await locations()).toEqual(Array(2).fill(WEB_URL.replace("me-21", "blog-21")));
    await postgres.refuse();
    expect(await locations()).toEqual(Array(2).fill(WEB_URL.replace("me-21", "blog-21")));
  });

  it("opens none of an owner's links while their changed record is unknown", async () => {
    await change(TAG());
    await eventually(async () => expect(await locations()).toEqual([TAGGED, TAGGED]));
    await redis.kill();
    await postgres.refuse();
    expect(await locations()).toEqual([TAGGED, TAGGED]);
    for (const { context } of replicas) context.resolverStack.memory.apply({ shortCode: `~${owner}`, revision: 9 });
    expect(await statuses()).toEqual([503, 503]);
  });
});

describe("link in the memory of two replicas", () => {
  beforeEach(cacheLink);

  it("both replicas drop a link after its deletion is announced", async () => {
    await postgres.refuse();
    await database.deleteLink(code);
    await project(deleted);
    await eventually(async () => expect(await statuses()).toEqual([410, 410]));
  });

  it.each([
    ["without an announcement", async () => {}],
    ["with Redis killed", () => redis.kill()],
    ["with Redis unresponsive", async () => redis.freeze()],
  ])("both replicas drop a deleted link, %s", async (_, fail) => {
    await fail();
    await database.deleteLink(code);
    await eventually(async () => expect(await statuses()).toEqual([410, 410]));
  });

  it("opens its new address although Redis has the old record", async () => {
    await eventually(async () => expect(await inRedis(first())).not.toBeNull());
    await database.updateWebUrl(code, NEW_URL);
    await eventually(async () => expect(await locations()).toEqual([NEW_URL, NEW_URL]));
    await eventually(async () => expect(await inRedis(first())).toMatchObject({ revision: 2 }));
  });

  it("drops a deleted link although Redis restarts with the old record, which is then replaced", async () => {
    await eventually(async () => expect(await inRedis(first())).not.toBeNull());
    await redis.kill();
    await database.deleteLink(code);
    await eventually(async () => {
      for (const { context } of replicas) expect(context.resolverStack.memory.minimumRevision(code)).toBe(2);
    });
    await redis.start();
    for (const replica of replicas) {
      await eventually(async () => expect(await inRedis(replica)).toMatchObject({ state: "live" }));
    }
    expect(await statuses()).toEqual([410, 410]);
    await eventually(async () => expect(await inRedis(first())).toEqual(deleted));
  });

  it("drops a deleted link at the first request after a replica was suspended", async () => {
    await database.deleteLink(code);
    suspend(1_500);
    expect(await statuses()).toEqual([410, 410]);
  });

  it("opens without Redis and Postgres, even after a replica was suspended", async () => {
    await redis.kill();
    await postgres.refuse();
    expect(await statuses()).toEqual([302, 302]);
    suspend(1_500);
    expect(await statuses()).toEqual([302, 302]);
  });
});

describe("link with a slug that replaced its code", () => {
  const slug = "summer-lamps-2026";
  const getSlug = (replica: TestService) =>
    replica.app.inject({ url: `/l/${slug}`, headers: { "user-agent": DESKTOP } });
  const allLocations = async () => {
    const replies = await Promise.all(replicas.flatMap((each) => [get(each), getSlug(each)]));
    return replies.map(({ headers, statusCode }) => headers.location ?? statusCode);
  };
  const everywhere = <T>(value: T) => [value, value, value, value];

  beforeEach(async () => {
    await cacheLink();
    for (const replica of replicas) expect((await getSlug(replica)).statusCode).toBe(404);
    await database.client.query(
      `WITH codes AS (
         INSERT INTO link_codes (short_code, link_id)
         SELECT code, id FROM links, unnest(ARRAY[$1, $2]) code WHERE short_code = $1
       ), link AS (
         UPDATE links SET short_code = $2, has_earlier_codes = true, revision = 2
         WHERE short_code = $1 RETURNING *
       ) INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link`,
      [code, slug],
    );
  });
  afterEach(() => database.client.query("TRUNCATE all_links, link_codes, retired_codes CASCADE"));

  it.each([
    ["", async () => {}],
    [", with Redis killed", () => redis.kill()],
  ])("opens its new address by both, and is gone from both after its deletion%s", async (_, fail) => {
    await eventually(async () => expect(await allLocations()).toEqual(everywhere(WEB_URL)));
    await fail();
    await database.updateWebUrl(slug, NEW_URL);
    await eventually(async () => expect(await allLocations()).toEqual(everywhere(NEW_URL)));
    await database.deleteLink(slug);
    await eventually(async () => expect(await allLocations()).toEqual(everywhere(410)));
  });
});

it("reads changes whenever announcements may have been missed", async () => {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  const syncs = replicas.map(({ context }) => vi.spyOn(context.resolverStack.tail, "sync"));
  await client.call("CLIENT", "KILL", "TYPE", "pubsub");
  await eventually(async () => {
    for (const sync of syncs) expect(sync).toHaveBeenCalled();
  });
});

it("ignores a stale record in Redis after start", async () => {
  await database.insertLink(code);
  await project(liveRecord());
  await database.deleteLink(code);
  const late = await startReplica();
  replicas.push(late);
  expect((await get(late)).statusCode).toBe(410);
});

describe("replica started without Postgres", () => {
  let late: TestService;
  const store = () => first().context.redirectStore;
  const startLate = async () => {
    late = await startReplica();
    replicas.push(late);
  };

  it("serves links and tombstones from Redis, and responds with 503 to other codes", async () => {
    await project(liveRecord({ revision: 2, webUrl: NEW_URL }));
    const [deletedCode, unknownCode] = [newCode(), newCode()];
    await database.insertLink(unknownCode);
    await store().put(deletedCode, deleted);
    await store().markUpToDate();
    await postgres.refuse();
    await startLate();
    expect((await get(late)).headers.location).toBe(NEW_URL);
    code = deletedCode;
    expect((await get(late)).statusCode).toBe(410);
    code = unknownCode;
    expect((await get(late)).statusCode).toBe(503);
  });

  it("applies an announced change", async () => {
    await project(liveRecord());
    await store().markUpToDate();
    await postgres.refuse();
    await startLate();
    expect((await get(late)).statusCode).toBe(302);
    let revision = 2;
    await eventually(async () => {
      // Announcements before its subscription are lost.
      await project({ ...deleted, revision: revision++ });
      expect((await get(late)).statusCode).toBe(410);
    });
  });

  it("applies a change that Redis lacks when Postgres is available", async () => {
    await database.insertLink(code);
    await project(liveRecord());
    await store().markUpToDate();
    await database.updateWebUrl(code, NEW_URL);
    await postgres.refuse();
    await startLate();
    expect((await get(late)).headers.location).toBe(WEB_URL);
    await postgres.accept();
    await eventually(async () => expect((await get(late)).headers.location).toBe(NEW_URL));
  });
});

it.each([
  ["", async () => {}],
  [" with Redis killed", () => redis.kill()],
])(
  "a code that was recently unknown resolves on both replicas at the first request after its link is created%s",
  async (_, fail) => {
    await fail();
    expect(await statuses()).toEqual([404, 404]);
    expect(await statuses()).toEqual([404, 404]);
    await database.insertLink(code);
    expect(await statuses()).toEqual([302, 302]);
  },
);

it.each([-120, 120])("expires links by Postgres's clock if its own is %d seconds off", async (seconds) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const late = await startReplica();
  replicas.push(late);
  await database.insertLink(code);
  for (const [expiry, status] of [
    ["60 seconds", 302],
    ["-60 seconds", 410],
  ] as const) {
    await database.client.query("UPDATE links SET expires_at = now() + $2::interval WHERE short_code = $1", [
      code,
      expiry,
    ]);
    await database.updateWebUrl(code, WEB_URL);
    await eventually(async () => expect((await get(late)).statusCode).toBe(status));
  }
});
