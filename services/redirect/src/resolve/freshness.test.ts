import {
  type ControlledRedis,
  createControlledRedis,
} from "@tapthru/runtime/testing/controlled-redis";
import { createTcpProxy, type TcpProxy } from "@tapthru/runtime/testing/tcp-proxy";
import { Redis } from "ioredis";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  liveRecord,
  newCode,
  startTestService,
  type TestDatabase,
  type TestService,
  WEB_URL,
} from "../testing/test-service.ts";

const NEW_URL = "https://www.amazon.de/dp/B0NEWNEW11?tag=me-21";

let database: TestDatabase;
let redis: ControlledRedis;
let postgres: TcpProxy;
let replicas: TestService[];
let code: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  redis = await createControlledRedis();
  await redis.start();
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

/** Redis, which may hang, is waited for a second. */
const startReplica = () =>
  startTestService({ databaseUrl: postgres.url, redisUrl: redis.url }, { redisBudgetMs: 1_000 });

const ask = (replica: TestService) =>
  replica.app.inject({ url: `/l/${code}`, headers: { "user-agent": DESKTOP } });
const first = () => replicas[0] as TestService;
const askAll = () => Promise.all(replicas.map(ask));
const statuses = async () => (await askAll()).map(({ statusCode }) => statusCode);
const locations = async () => (await askAll()).map(({ headers }) => headers.location);
const keptBy = ({ context }: TestService) => context.resolving.memory.links.get(code);

/** What the api does besides its write: it puts the record, which announces the change. */
const project = (record: Parameters<TestService["context"]["redirectStore"]["put"]>[1]) =>
  first().context.redirectStore.put(code, record);

/** Both replicas have it in memory. */
async function warmLink(): Promise<void> {
  await database.insertLink(code);
  expect(await statuses()).toEqual([302, 302]);
  for (const replica of replicas) expect(keptBy(replica)).toBeDefined();
}

const deleted = { state: "gone", revision: 2, reason: "deleted" } as const;
const inRedis = (replica: TestService) => replica.context.redirectStore.get(code);
const eventually = (isSo: () => Promise<void>) => vi.waitFor(isSo, { timeout: 10_000 });

/** As a process that was stopped for so long finds it. */
function loseTime(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

describe("a link in the memory of two replicas", () => {
  beforeEach(warmLink);

  it("is gone from both once its deletion is announced", async () => {
    await postgres.refuse();
    await database.deleteLink(code);
    await project(deleted);
    await eventually(async () => expect(await statuses()).toEqual([404, 404]));
  });

  it.each([
    ["though nobody announces it", async () => {}],
    ["though Redis is killed", () => redis.kill()],
    ["though Redis hangs", async () => redis.hang()],
  ])("is gone from both once it is deleted, %s", async (_, fail) => {
    await fail();
    await database.deleteLink(code);
    await eventually(async () => expect(await statuses()).toEqual([404, 404]));
  });

  it("leads to its new address once it is moved, though Redis holds the old record", async () => {
    await eventually(async () => expect(await inRedis(first())).not.toBeNull());
    await database.moveLink(code, NEW_URL);
    await eventually(async () => expect(await locations()).toEqual([NEW_URL, NEW_URL]));
    await eventually(async () => expect(await inRedis(first())).toMatchObject({ revision: 2 }));
  });

  it("is gone though Redis comes back with the old record, and that is mended", async () => {
    await eventually(async () => expect(await inRedis(first())).not.toBeNull());
    await redis.kill();
    await database.deleteLink(code);
    await eventually(async () => {
      for (const { context } of replicas) expect(context.resolving.memory.floors.of(code)).toBe(2);
    });
    await redis.start();
    for (const replica of replicas) {
      await eventually(async () => expect(await inRedis(replica)).toMatchObject({ state: "live" }));
    }
    expect(await statuses()).toEqual([404, 404]);
    await eventually(async () => expect(await inRedis(first())).toEqual(deleted));
  });

  it("is gone at the first request after a replica was frozen", async () => {
    await database.deleteLink(code);
    loseTime(1_500);
    expect(await statuses()).toEqual([404, 404]);
  });

  it("goes on when neither Redis nor Postgres is there, also after a replica was frozen", async () => {
    await redis.kill();
    await postgres.refuse();
    expect(await statuses()).toEqual([302, 302]);
    loseTime(1_500);
    expect(await statuses()).toEqual([302, 302]);
  });
});

it("reads what changed whenever announcements may have been missed", async () => {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  const asked = replicas.map(({ context }) => vi.spyOn(context.resolving.tail, "next"));
  await client.call("CLIENT", "KILL", "TYPE", "pubsub");
  await eventually(async () => {
    for (const next of asked) expect(next).toHaveBeenCalled();
  });
});

it("believes no old record in Redis when it has just started", async () => {
  await database.insertLink(code);
  await project(liveRecord());
  await database.deleteLink(code);
  const late = await startReplica();
  replicas.push(late);
  expect((await ask(late)).statusCode).toBe(404);
});

describe("a replica that was started without Postgres", () => {
  let late: TestService;
  const store = () => first().context.redirectStore;
  const startLate = async () => {
    late = await startReplica();
    replicas.push(late);
  };

  it("opens links as Redis has them, tombstones included, and answers 503 to the others", async () => {
    await project(liveRecord({ revision: 2, webUrl: NEW_URL }));
    const [deletedCode, unknownCode] = [newCode(), newCode()];
    await database.insertLink(unknownCode);
    await store().put(deletedCode, deleted);
    await store().markUpToDate();
    await postgres.refuse();
    await startLate();
    expect((await ask(late)).headers.location).toBe(NEW_URL);
    code = deletedCode;
    expect((await ask(late)).statusCode).toBe(404);
    code = unknownCode;
    expect((await ask(late)).statusCode).toBe(503);
  });

  it("answers 503 where Redis may lack changes", async () => {
    await project(liveRecord());
    await postgres.refuse();
    await startLate();
    expect((await ask(late)).statusCode).toBe(503);
  });

  it("obeys an announced change", async () => {
    await project(liveRecord());
    await store().markUpToDate();
    await postgres.refuse();
    await startLate();
    expect((await ask(late)).statusCode).toBe(302);
    let revision = 2;
    await eventually(async () => {
      // Until it has subscribed it hears nothing.
      await project({ ...deleted, revision: revision++ });
      expect((await ask(late)).statusCode).toBe(404);
    });
  });

  it("opens a link anew that changed without Redis, once Postgres is there", async () => {
    await database.insertLink(code);
    await project(liveRecord());
    await store().markUpToDate();
    await database.moveLink(code, NEW_URL);
    await postgres.refuse();
    await startLate();
    expect((await ask(late)).headers.location).toBe(WEB_URL);
    await postgres.accept();
    await eventually(async () => expect((await ask(late)).headers.location).toBe(NEW_URL));
  });
});

describe("a code that was unknown a moment ago", () => {
  it.each([
    ["", async () => {}],
    [" with Redis killed", () => redis.kill()],
    [" with Redis hung", async () => redis.hang()],
  ])("resolves on both replicas at the first try once its link is made%s", async (_, fail) => {
    await fail();
    expect(await statuses()).toEqual([404, 404]);
    expect(await statuses()).toEqual([404, 404]);
    await database.insertLink(code);
    expect(await statuses()).toEqual([302, 302]);
  });

  it("is 503, not 404, while nobody can say whether its link was made", async () => {
    expect(await statuses()).toEqual([404, 404]);
    await postgres.refuse();
    expect(await statuses()).toEqual([503, 503]);
  });
});

it.each([-120, 120])(
  "ends links by Postgres's clock with its own %d seconds off",
  async (seconds) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
    onTestFinished(() => void vi.useRealTimers());
    const late = await startReplica();
    replicas.push(late);
    await database.insertLink(code);
    for (const [expiry, status] of [
      ["60 seconds", 302],
      ["-60 seconds", 410],
    ] as const) {
      await database.client.query(
        "UPDATE links SET expires_at = now() + $2::interval WHERE short_code = $1",
        [code, expiry],
      );
      await database.moveLink(code, WEB_URL);
      await eventually(async () => expect((await ask(late)).statusCode).toBe(status));
    }
  },
);
