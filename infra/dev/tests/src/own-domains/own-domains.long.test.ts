import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificateKeys } from "@tapthru/core/platform/cipher";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { type RunningGateway, startGateway } from "@tapthru/gateway/testing/start-gateway";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { type ServiceProcess, startService } from "@tapthru/stack/testing/service-process";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestAuthority, type TestAuthority } from "./testing/authority.ts";
import { getByHttps, handshake, handshakes } from "./testing/handshakes.ts";

skipWithout("pebble");

const SITE = "links.example";
const HERE = "127.0.0.1";
const ENCRYPTION_KEYS = "a-key-that-encrypts-secrets-of-tests";
const WAIT = { timeout: 500_000, interval: 100 };

const certificateKeys = createCertificateKeys([ENCRYPTION_KEYS]);

let authority: TestAuthority;
let database: ThrowawayDatabase;
let postgres: Record<"api" | "worker" | "redirect", TcpProxy>;
let redis: ControlledRedis;
let redisProxy: TcpProxy;
let services: Record<"api" | "worker", ServiceProcess>;
let copiers: ServiceProcess[];
let gateways: RunningGateway[];
let ports: number[];
let folder: string;
let settings: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-own-domains-"));
  const httpPorts = [await freePort(), await freePort()];
  ports = [await freePort(), await freePort()];
  const [http = 0] = httpPorts;
  const [https = 0] = ports;
  authority = await startTestAuthority({ http, https });
  await authority.setRecord(SITE, HERE);

  database = await createThrowawayDatabase();
  const proxyOf = async (role: "api" | "worker" | "redirect") =>
    createTcpProxy(await database.urlAs(`tapthru_${role}`));
  postgres = { api: await proxyOf("api"), worker: await proxyOf("worker"), redirect: await proxyOf("redirect") };
  redis = await startRedis();
  redisProxy = await createTcpProxy(redis.url);
  settings = {
    TLS: "on",
    PUBLIC_BASE_URL: `https://${SITE}`,
    ACME_DIRECTORY_URL: authority.directoryUrl,
    ENCRYPTION_KEYS,
    REDIS_CACHE_URL: redisProxy.url,
    REDIS_QUEUE_URL: redisProxy.url,
  };
  services = { api: await startApi(), worker: await startWorker(http, https) };
  const directories = [join(folder, "1"), join(folder, "2")];
  copiers = await Promise.all(
    directories.map((directory) =>
      startService("certificates", {
        DATABASE_URL: postgres.redirect.url,
        ENCRYPTION_KEYS,
        CERTIFICATES_DIR: directory,
      }),
    ),
  );
  gateways = await Promise.all(
    directories.map((directory, index) =>
      startGateway({
        PUBLIC_BASE_URL: `https://${SITE}`,
        PORT: httpPorts[index] ?? 0,
        TLS: "on",
        TLS_PORT: ports[index] ?? 0,
        CERTIFICATES_DIR: directory,
        api: [new URL(services.api.url).host],
        RATE_LIMITS: "off",
      }),
    ),
  );
  await database.rows(
    "INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'anna', 'anna@t.example', 'anna')",
  );
}, 600_000);

afterAll(async () => {
  const stopped = [...copiers, ...Object.values(services), ...gateways, authority];
  await Promise.all(stopped.map((one) => one.stop()));
  await Promise.all([...Object.values(postgres), redisProxy].map((proxy) => proxy.refuse().catch(() => {})));
  await redis.remove();
  await database.drop();
  await rm(folder, { recursive: true });
});

const startApi = () => startService("api", { ...settings, DATABASE_URL: postgres.api.url });
const startWorker = (http: number, https: number) =>
  startService("worker", {
    ...settings,
    DATABASE_URL: postgres.worker.url,
    DNS_SERVERS: authority.nameServer,
    LOCAL_GATEWAY_PORTS: `${http},${https}`,
    NODE_EXTRA_CA_CERTS: authority.rootsFile,
  });

const addDomain = (host: string) =>
  database.rows("INSERT INTO domains (user_id, host, proof) VALUES (1, $1, 'a-proof')", [host]);
const domainOf = async (host: string) => (await database.rows("SELECT * FROM domains WHERE host = $1", [host]))[0];
const serials = (host: string) => Promise.all(ports.map((port) => handshake(port, host, authority.roots)));

async function addWorkingDomain(host: string) {
  await authority.setRecord(host, SITE);
  await addDomain(host);
  await vi.waitFor(() => serials(host), WAIT);
}

describe("certificates", () => {
  it("the site's own host gets a certificate", async () => {
    await vi.waitFor(() => serials(SITE), WAIT);
    const { status } = await getByHttps(ports[1] ?? 0, SITE, authority.roots, "/");
    expect(status).toBe(200);
  });

  it("a domain gets a certificate as soon as its DNS is right, and not before", async () => {
    const host = "go.anna.example";
    await addDomain(host);
    await vi.waitFor(async () => expect((await domainOf(host))?.problem).toBe("no-record"), WAIT);
    await authority.setRecord(host, "192.0.2.7");
    await vi.waitFor(async () => expect((await domainOf(host))?.problem).toBe("wrong-record"), WAIT);
    expect(authority.orders).not.toContain(host);
    await authority.setRecord(host, SITE);
    for (const port of ports) {
      await vi.waitFor(async () => {
        const { text } = await getByHttps(port, host, authority.roots);
        expect(JSON.parse(text).url).toBe(`/d/${host}/mug`);
      }, WAIT);
    }
    expect(authority.orders.filter((name) => name === host)).toHaveLength(1);
    await vi.waitFor(async () => {
      const domain = await domainOf(host);
      expect(domain).toMatchObject({ problem: null, failing_since: null });
      expect(domain?.verified_at).not.toBeNull();
    }, WAIT);
  }, 600_000);

  it("are renewed when they are due", async () => {
    const host = "renewed.anna.example";
    await addWorkingDomain(host);
    const [first] = await serials(host);
    await database.rows("UPDATE certificates SET order_at = now() WHERE host = $1", [host]);
    await vi.waitFor(async () => {
      for (const serial of await serials(host)) expect(serial).not.toBe(first);
    }, WAIT);
  }, 600_000);
});

describe("handshakes", () => {
  const hosts = Array.from({ length: 1_000 }, (_, n) => `d${n}.many-${n % 100}.example`);
  let roots: string;

  beforeAll(async () => {
    const local = await createTestAuthority();
    roots = local.certificate;
    for (const host of hosts) {
      const { certificate, key } = await local.issue(host);
      await database.rows(
        `WITH domain AS (
           INSERT INTO domains (user_id, host, proof, verified_at, next_check_at)
           VALUES (1, $1, 'p', now(), 'infinity')
         ) INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at, order_at)
         VALUES ($1, $2, $3, now() + interval '1 day', now(), 'infinity')`,
        [host, certificate, certificateKeys.encrypt(key, host)],
      );
    }
    const last = hosts.at(-1) ?? "";
    await vi.waitFor(async () => Promise.all(ports.map((port) => handshake(port, last, roots))), WAIT);
  }, 600_000);

  const all = () => handshakes(hosts, ports, roots);

  it("handshakes succeed with each of a thousand domains on both gateways", async () => {
    await vi.waitFor(async () => expect(await all()).toEqual([]), WAIT);
  }, 600_000);

  it("handshakes never fail while api, worker, Postgres, Redis and the authority are unavailable and gateways restart", async () => {
    const failed: Record<string, string[]> = {};
    async function during(outage: string, on = ports) {
      failed[outage] = await handshakes(hosts.slice(0, 250), on, roots);
    }
    authority.isDown = true;
    await during("authority");
    await redisProxy.refuse();
    await during("Redis");
    await Promise.all(Object.values(postgres).map((proxy) => proxy.refuse()));
    await during("Postgres");
    await services.api.stop();
    await during("api");
    await services.worker.stop();
    await during("worker");
    await Promise.all(copiers.map((copier) => copier.stop()));
    await during("certificates");
    for (const [index, gateway] of gateways.entries()) {
      const others = ports.filter((_port, other) => other !== index);
      await Promise.all([gateway.restart(), during(`restart of gateway ${index}`, others)]);
      await during(`after the restart of gateway ${index}`);
    }
    expect(failed).toEqual(Object.fromEntries(Object.keys(failed).map((outage) => [outage, []])));
  }, 600_000);
});
