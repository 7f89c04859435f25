import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createRedisCluster } from "@tapthru/core/platform/testing/redis-cluster";
import { createTestCertificates, type TestCertificates } from "@tapthru/core/platform/testing/test-certificates";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { listSessions } from "@tapthru/proto/sessions";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { compose, interpolate } from "./compose-file.ts";
import { SERVICES, type Service, startThreeServices, type ThreeServices, WAIT } from "./testing/three-services.ts";

interface Setup {
  urlAs(service: Service): string;
  masterOf(key: string): Promise<ControlledRedis>;
  untilReplicated(key: string): Promise<void>;
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

/** One server with the users of docker-compose.yml. */
async function startServerOfCompose(certificates: TestCertificates | null): Promise<Setup> {
  const users: string = interpolate(parse(compose).configs["redis-users"].content, {});
  const settings = users.split("\n").flatMap((line) => line.replace(/^user/, "--user").split(" "));
  const { url, remove } = await startRedis({ certificates, settings: settings.filter(Boolean) });
  const none = async () => {};
  return {
    urlAs: (service) => url.replace("://", `://${service}:demo-only-${service}@`),
    masterOf: () => Promise.reject(new Error("There is one server.")),
    untilReplicated: none,
    untilConnected: none,
    untilHealthy: none,
    remove,
  };
}

it("in Compose's Redis the worker can neither read a session nor list keys", async () => {
  const server = await startServerOfCompose(null);
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

describe.each([
  { name: "a cluster", start: startCluster, masters: ["session", "queues"] },
  { name: "a server with the users of Compose", start: startServerOfCompose, masters: [] },
])("on $name with TLS of a private CA and passwords, the services", ({ start, masters }) => {
  let certificates: TestCertificates;
  let setup: Setup;
  let database: ThrowawayDatabase;
  let services: ThreeServices;

  beforeAll(async () => {
    certificates = await createTestCertificates();
    database = await createThrowawayDatabase();
    setup = await start(certificates);
    const settings = { NODE_EXTRA_CA_CERTS: certificates.files.authority };
    services = await startThreeServices({ database, redisUrlOf: setup.urlAs, settings });
  });
  afterAll(async () => {
    await services?.stop();
    await setup?.remove();
    await database?.drop();
    await certificates?.remove();
  });

  it("serve a user from login to logout, and use every master", async () => {
    const user = await services.signUp();
    await services.useLinks(user, "de");
    await services.logOut(user);
    await setup.untilConnected();
  });

  it.each(masters.map((master, i) => [master, ["fr", "it"][i] ?? ""]))(
    "keep a session, jobs and changes after the failover of the master of the %s",
    async (of, store) => {
      const user = await services.signUp();
      const reply = await user(listSessions.method, listSessions.path);
      const [session] = listSessions.replies[200].parse(await reply.json());
      const key = of === "queues" ? "{jobs}" : `session:${session?.id}`;
      const master = await setup.masterOf(key);
      await setup.untilReplicated(key);
      await master.kill();
      await vi.waitFor(() => setup.masterOf(key), WAIT);
      await vi.waitFor(async () => expect((await user("GET", "/api/links")).status).toBe(200), WAIT);
      await vi.waitFor(() => services.useLinks(user, store), WAIT);
      await setup.untilConnected();
      await services.logOut(user);
      await master.start();
      await setup.untilHealthy();
    },
    120_000,
  );
});
