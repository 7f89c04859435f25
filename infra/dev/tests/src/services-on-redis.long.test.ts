import { startRedis, untilReplicated } from "@tapthru/core/platform/testing/controlled-redis";
import { createRedisCluster, type TestCluster } from "@tapthru/core/platform/testing/redis-cluster";
import { createTestCertificates, type TestCertificates } from "@tapthru/core/platform/testing/test-certificates";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { listSessions } from "@tapthru/proto/sessions";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { compose, interpolate } from "./compose-file.ts";
import { SERVICES, type Service, startThreeServices, type ThreeServices, WAIT } from "./testing/three-services.ts";

/** One server with the users of docker-compose.yml. */
async function startServerOfCompose(certificates: TestCertificates | null = null) {
  const users: string = interpolate(parse(compose).configs["redis-users"].content, {});
  const settings = users.split("\n").flatMap((line) => line.replace(/^user/, "--user").split(" "));
  const { url, remove } = await startRedis({ certificates, settings: settings.filter(Boolean) });
  const urlAs = (service: Service) => url.replace("://", `://${service}:demo-only-${service}@`);
  return { urlAs, remove };
}

it("in Compose's Redis the worker can neither read a session nor list keys", async () => {
  const server = await startServerOfCompose();
  const [api, worker] = [new Redis(server.urlAs("api")), new Redis(server.urlAs("worker"))];
  onTestFinished(async () => {
    api.disconnect();
    worker.disconnect();
    await server.remove();
  });
  await api.set("session:1", "a session");
  await expect(worker.get("session:1")).rejects.toThrow("NOPERM");
  await expect(worker.keys("*")).rejects.toThrow("NOPERM");
  expect(await worker.set("redirect:abc2345", "a record")).toBe("OK");
});

/** The services on a Redis with TLS of a private CA and passwords, for all tests of the calling describe. */
function useServices<Redis extends Pick<TestCluster, "urlAs" | "remove">>(
  start: (certificates: TestCertificates) => Promise<Redis>,
) {
  const used = {} as { redis: Redis; services: ThreeServices; database: ThrowawayDatabase };
  beforeAll(async () => {
    const certificates = await createTestCertificates();
    const database = await createThrowawayDatabase();
    const redis = await start(certificates);
    const settings = { NODE_EXTRA_CA_CERTS: certificates.files.authority };
    const services = await startThreeServices({ database, redisUrlOf: redis.urlAs, settings });
    Object.assign(used, { redis, services, database });
    return async () => {
      await services.stop();
      await redis.remove();
      await database.drop();
      await certificates.remove();
    };
  });
  return used;
}

async function useFromLoginToLogout({ services }: { services: ThreeServices }): Promise<void> {
  const user = await services.signUp();
  await services.useLinks(user, "de");
  await services.logOut(user);
}

describe("on a server with the users of Compose", () => {
  const used = useServices(startServerOfCompose);

  it("the services serve a user from login to logout", () => useFromLoginToLogout(used));
});

describe("on a cluster", () => {
  const used = useServices((certificates) => createRedisCluster({ certificates }));
  const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

  /** Every service is connected to all masters, and the redirect subscribed to changes. */
  const untilConnected = () =>
    vi.waitFor(async () => {
      for (const users of await used.redis.usersOfMasters())
        expect([...users]).toEqual(expect.arrayContaining([...SERVICES]));
      expect(await used.redis.countSubscribers("redirect:changes")).toBe(1);
    }, WAIT);

  async function masterOfRecord(code: string) {
    const master = await used.redis.masterOf(redirectKey(code));
    return (await master.commands.exists(redirectKey(code))) === 1 ? master : null;
  }

  /** Adds links that no redirect has in its memory. @returns their codes, once all are in Redis */
  async function addLinks(name: string): Promise<string[]> {
    await used.database.rows(
      `WITH link AS (
         INSERT INTO links (short_code, original_url, web_url, deep_link)
         SELECT $1 || n, $2, $2, 'https://t.example/redirect?product_id=B0ZZ1Y2X3W' FROM generate_series(1, 30) AS n
         RETURNING short_code, revision
       ) INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link`,
      [name, PAGE],
    );
    const codes = Array.from({ length: 30 }, (_, n) => `${name}${n + 1}`);
    await vi.waitFor(async () => expect(await Promise.all(codes.map(masterOfRecord))).not.toContain(null), WAIT);
    return codes;
  }

  it("the services serve a user from login to logout, and use every master", async () => {
    await useFromLoginToLogout(used);
    await untilConnected();
  });

  it("the worker rebuilds the records that one master lost", async () => {
    const queues = await used.redis.masterOf("{jobs}");
    const records = await Promise.all((await addLinks("lost")).map(masterOfRecord));
    const at = records.findIndex((master) => master !== queues);
    await records[at]?.commands.flushall();
    await vi.waitFor(async () => expect(await masterOfRecord(`lost${at + 1}`)).not.toBeNull(), WAIT);
  });

  it.each([
    ["the session", "fr"],
    ["the queues", "it"],
  ])(
    "links open while the master of %s is replaced, and sessions, jobs and changes go on",
    async (of, store) => {
      const { redis, services } = used;
      const user = await services.signUp();
      const reply = await user(listSessions.method, listSessions.path);
      const [session] = listSessions.replies[200].parse(await reply.json());
      const codes = await addLinks(store);
      const key = of === "the queues" ? "{jobs}" : `session:${session?.id}`;
      const { server, commands } = await redis.masterOf(key);
      await untilReplicated(commands);
      await server.kill();
      for (const code of codes) expect(await services.open(code)).toBe(PAGE);
      await vi.waitFor(() => redis.masterOf(key), WAIT);
      await vi.waitFor(async () => expect((await user("GET", "/api/links")).status).toBe(200), WAIT);
      await vi.waitFor(() => services.useLinks(user, store), WAIT);
      await untilConnected();
      await services.logOut(user);
      await server.start();
      await redis.untilHealthy();
    },
    120_000,
  );
});
