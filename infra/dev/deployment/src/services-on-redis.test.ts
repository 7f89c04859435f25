import type { ChildProcess } from "node:child_process";
import { createAccount, EMULATOR_START_MS } from "@tapthru/api/testing/test-accounts";
import type { TestApi } from "@tapthru/api/testing/test-api";
import { createLink } from "@tapthru/api/testing/test-links";
import { signUpUser, type TestUser } from "@tapthru/api/testing/test-user";
import { Link } from "@tapthru/proto/http/links";
import { listSessions } from "@tapthru/proto/http/sessions";
import { createTestDatabase, type TestDatabase } from "@tapthru/redirect/testing/test-service";
import type { ControlledRedis } from "@tapthru/runtime/testing/controlled-redis";
import { createRedisCluster } from "@tapthru/runtime/testing/redis-cluster";
import { createSentinelSetup } from "@tapthru/runtime/testing/redis-sentinel";
import {
  createTestCertificates,
  type TestCertificates,
} from "@tapthru/runtime/testing/test-certificates";
import { startWorker, stopWorker } from "@tapthru/worker/testing/test-worker";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ServiceProcess, startService } from "./testing/service-process.ts";

const WAIT = { timeout: 60_000, interval: 100 };
const SITE = "http://localhost:8080";
const SERVICES = ["api", "redirect", "worker"] as const;
type Service = (typeof SERVICES)[number];

/** What the tests need of a cluster, and of a master with sentinels. */
interface Setup {
  urlAs(service: Service): string;
  masterOf(key: string): Promise<ControlledRedis>;
  /** Every service is connected to all masters, and the redirect subscribed to changes. */
  untilConnected(): Promise<void>;
  untilHealthy(): Promise<void>;
  remove(): Promise<void>;
}

async function startCluster(certificates: TestCertificates): Promise<Setup> {
  const cluster = await createRedisCluster({ certificates });
  const connected = async () => {
    for (const users of await cluster.usersOfMasters())
      expect([...users]).toEqual(expect.arrayContaining([...SERVICES]));
    expect(await cluster.countSubscribers("redirect:changes")).toBe(1);
  };
  return { ...cluster, untilConnected: () => vi.waitFor(connected, WAIT) };
}

async function startSentinels(certificates: TestCertificates): Promise<Setup> {
  const { url, master, remove } = await createSentinelSetup(certificates);
  const none = async () => {};
  const waits = { untilConnected: none, untilHealthy: none };
  return { urlAs: () => url, masterOf: async () => master, ...waits, remove };
}

beforeAll(async () => {
  await createAccount();
}, EMULATOR_START_MS);

describe.each([
  { name: "a cluster", start: startCluster, masters: ["session", "queues"] },
  { name: "sentinels", start: startSentinels, masters: ["session"] },
])("on $name with TLS of a private CA and passwords, the services", ({ start, masters }) => {
  let certificates: TestCertificates;
  let setup: Setup;
  let database: TestDatabase;
  let worker: ChildProcess;
  let redirect: ServiceProcess;
  let apiProcess: ServiceProcess;
  let api: Pick<TestApi, "post" | "request" | "publicBaseUrl">;

  beforeAll(async () => {
    certificates = await createTestCertificates();
    [setup, database] = await Promise.all([start(certificates), createTestDatabase()]);
    worker = await startWorker({
      databaseUrl: await database.urlAs("tapthru_worker"),
      redisUrl: setup.urlAs("worker"),
      storeUrl: "http://127.0.0.1:1",
      authorities: certificates.files.authority,
    });
    redirect = await startService("redirect", {
      ...settingsOf("redirect"),
      DATABASE_URL: database.url,
      OUTCOME_KEY: "only-for-tests-".repeat(3),
    });
    apiProcess = await startService("api", {
      ...settingsOf("api"),
      DATABASE_URL: await database.urlAs("tapthru_api"),
      SESSION_KEYS: "a-key-that-signs-the-cookies-of-tests",
      FIREBASE_PROJECT_ID: "demo-tapthru",
      FIREBASE_AUTH_EMULATOR_HOST: process.env.TEST_FIREBASE_EMULATOR_HOST,
    });
    const { url } = apiProcess;
    api = {
      publicBaseUrl: SITE,
      request: (method, path, headers = {}, body) =>
        fetch(url + path, {
          method,
          headers: { "content-type": "application/json", ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        }),
      post: (path, body, headers) => api.request("POST", path, headers, body),
    };
  }, 120_000);
  afterAll(async () => {
    await apiProcess?.stop();
    await redirect?.stop();
    if (worker) await stopWorker(worker, "SIGKILL");
    await setup?.remove();
    await database?.drop();
    await certificates?.remove();
  });

  function settingsOf(service: Service): NodeJS.ProcessEnv {
    const url = setup.urlAs(service);
    return {
      ...{ REDIS_CACHE_URL: url, REDIS_QUEUE_URL: url, PUBLIC_BASE_URL: SITE, RATE_LIMITS: "on" },
      NODE_EXTRA_CA_CERTS: certificates.files.authority,
    };
  }

  async function open(code: string): Promise<string | number> {
    const response = await fetch(`${redirect.url}/l/${code}`, { redirect: "manual" });
    return response.headers.get("location") ?? response.status;
  }

  const opens = (code: string, expected: string | number) =>
    vi.waitFor(async () => expect(await open(code)).toBe(expected), WAIT);

  const status = async ({ browser }: TestUser) =>
    (await api.request("GET", "/api/links", browser)).status;

  /** Creates, edits, opens and deletes links, until the worker has tried to read the page. */
  async function useLinks({ browser }: TestUser, store: string): Promise<void> {
    const [first, second] = ["B0ZZ1Y2X3W", "B0ZZ9Z9Z9Z"].map(
      (asin) => `https://www.amazon.${store}/dp/${asin}`,
    ) as [string, string];
    const code = await createLink(api, browser, first);
    await opens(code, first);
    const edited = await api.request("PATCH", `/api/links/${code}`, browser, { url: second });
    const { id } = Link.parse(await edited.json());
    await opens(code, second);
    await vi.waitFor(async () => {
      const { rows } = await database.client.query(
        "SELECT FROM products WHERE marketplace = $1 AND attempts > 0",
        [store],
      );
      expect(rows).not.toEqual([]);
    }, WAIT);
    const deleted = await api.request("DELETE", `/api/links/${id}`, browser);
    expect(deleted.status).toBe(200);
    await opens(code, 404);
  }

  async function logOut(user: TestUser): Promise<void> {
    expect((await api.post("/api/logout", {}, user.browser)).status).toBe(200);
    expect(await status(user)).toBe(401);
  }

  it("serve a user from login to logout, and use every master", async () => {
    const user = await signUpUser(api);
    await useLinks(user, "de");
    await logOut(user);
    await setup.untilConnected();
  }, 120_000);

  it.each(masters.map((master, i) => [master, ["fr", "it"][i] ?? ""]))(
    "keep a session, jobs and changes after the failover of the master of the %s",
    async (of, store) => {
      const user = await signUpUser(api);
      const reply = await api.request("GET", listSessions.path, user.browser);
      const [session] = listSessions.replies[200].parse(await reply.json());
      const key = of === "queues" ? "{jobs}" : `session:${session?.id}`;
      const master = await setup.masterOf(key);
      await master.kill();
      await vi.waitFor(() => setup.masterOf(key), WAIT);
      await vi.waitFor(async () => expect(await status(user)).toBe(200), WAIT);
      await vi.waitFor(() => useLinks(user, store), WAIT);
      await setup.untilConnected();
      await logOut(user);
      await master.start();
      await setup.untilHealthy();
    },
    120_000,
  );
});
