import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { GeneratedLink, generate } from "@tapthru/proto/generate";
import { listInvitations } from "@tapthru/proto/operator/sign-up";
import { isDockerAvailable } from "@tapthru/stack/test-servers/docker";
import { createSession } from "@tapthru/stack/testing/callers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { composeProject } from "./compose-project.ts";
import { openLink, underLoad } from "./load.ts";

/** Builds all images and runs them as a separate project. Each test continues with the containers of the one before. */
const PORT = 28_080;
const PROMETHEUS_PORT = 29_090;
const SITE = `http://localhost:${PORT}`;
/** Longer than an orchestrator waits before it restarts a process. */
const WITHOUT_DEPENDENCIES_MS = 30_000;
const PASTED_URL = "https://amzn.to/3TapTru";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const WAIT = { timeout: 120_000, interval: 100 };

const backups = await mkdtemp(join(tmpdir(), "tapthru-backups-"));
const PROJECT = "tapthru-test";
/** Images have the name of the project. */
const REGISTRY = `localhost/${PROJECT}`;
const OURS = ["gateway", "api", "redirect", "worker"];

const project = composeProject(PROJECT, {
  COMPOSE_PROFILES: "demo,monitoring,backup",
  METRICS_ADDRESS: "gateway-metrics:5514",
  PUBLIC_BASE_URL: SITE,
  PUBLISH_PORT: String(PORT),
  PROMETHEUS_PORT: String(PROMETHEUS_PORT),
  ALERTMANAGER_PORT: "29093",
  // All requests come from one address.
  RATE_LIMITS: "off",
  BACKUP_DIR: backups,
});

let shortUrl: string;
let originalUrl: string;
const opens = () => vi.waitFor(async () => expect(await openLink(shortUrl, originalUrl)).toBeNull(), WAIT);

describe.skipIf(!(await isDockerAvailable()))("the containers", () => {
  beforeAll(async () => {
    await project.compose("build");
  });
  afterAll(async () => {
    await project.compose("down", "--volumes", "--timeout", "10");
    await rm(backups, { recursive: true });
  });

  it("wait for Postgres and Redis, whose names do not exist yet, and become ready without a restart", async () => {
    const services = ["api", "redirect", "worker"];
    await project.compose("up", "--detach", "--no-deps", ...services);
    const containers = (await Promise.all(services.map(project.containers))).flat();
    const statuses = (path: string) => Promise.all(containers.map((container) => project.adminStatus(container, path)));
    const live = async () => expect(new Set(await statuses("/livez"))).toEqual(new Set([200]));
    await vi.waitFor(live, WAIT);
    await delay(WITHOUT_DEPENDENCIES_MS);
    await live();
    expect(new Set(await statuses("/readyz"))).toEqual(new Set([503]));
    await project.compose("up", "--detach", "migrate", "redis-cache", "redis-queue");
    const healthy = () => Promise.all(containers.map(project.isHealthy));
    await vi.waitFor(async () => expect(await healthy()).not.toContain(false), WAIT);
    const restarts = await Promise.all(containers.map(project.restarts));
    expect(new Set(restarts)).toEqual(new Set([0]));
  });

  it("create a link of a short Amazon address, and open it in a browser and on a phone", async () => {
    await project.compose("up", "--detach", "--wait");
    const response = await postGenerate(PASTED_URL);
    expect(response.status).toBe(201);
    ({ shortUrl, originalUrl } = GeneratedLink.parse(await response.json()));
    expect(await openLink(shortUrl, originalUrl)).toBeNull();
    const page = await fetch(shortUrl, { headers: { "User-Agent": IPHONE }, redirect: "manual" });
    expect(page.status).toBe(200);
  });

  it("let the operator sign up with the link in the log of the migration", async () => {
    const logs = await project.compose("logs", "--no-log-prefix", "migrate");
    const [, invitation = ""] = /\/signup\?invitation=(\S+)/.exec(logs) ?? [];
    const cookie = await createSession(SITE, invitation);
    const response = await fetch(SITE + listInvitations.path, { headers: { cookie } });
    expect(response.status).toBe(200);
  });

  it("Prometheus scrapes all containers and has a record of each request", async () => {
    const query = async (path: string) => {
      const response = await fetch(`http://localhost:${PROMETHEUS_PORT}/api/v1/${path}`);
      return ((await response.json()) as { data: { activeTargets: Target[]; result: unknown[] } }).data;
    };
    await vi.waitFor(async () => {
      const { activeTargets } = await query("targets?state=active");
      expect(activeTargets.filter(({ health }) => health !== "up")).toEqual([]);
      const { result } = await query("query?query=tapthru_gateway_request_duration_seconds_count");
      expect(result).not.toEqual([]);
    }, WAIT);
  });

  it("refuse connections for a moment during an upgrade and the way back, and respond to all others", async () => {
    await tagImages("next");
    const upgrade = async () => {
      for (const TAPTHRU_VERSION of ["next", "previous"]) {
        expect(await project.upgrade({ TAPTHRU_VERSION })).toMatchObject({ exitCode: 0 });
        const images = await project.images();
        expect(images).toEqual(expect.arrayContaining(OURS.map((name) => `${REGISTRY}/${name}:${TAPTHRU_VERSION}`)));
        expect(images).not.toContain(`${REGISTRY}/redirect:local`);
      }
    };
    const report = await underLoad(shortUrl, originalUrl, upgrade, createLink);
    console.log(report);
    const { ECONNREFUSED = 0, ECONNRESET = 0, UND_ERR_SOCKET = 0, ...others } = report.failures;
    expect(others).toEqual({});
    expect(ECONNREFUSED + ECONNRESET + UND_ERR_SOCKET).toBeLessThan(report.requests / 10);
  });

  it("an upgrade restores the previous images if a new one does not become healthy", async () => {
    await tagImages("broken");
    const [api = ""] = await project.containers("api");
    await project.docker("commit", "--change", 'CMD ["sleep", "600"]', api, `${REGISTRY}/api:broken`);
    const report = await underLoad(shortUrl, originalUrl, async () => {
      const broken = { TAPTHRU_VERSION: "broken", HEALTHY_WITHIN_SECONDS: "20" };
      const { exitCode, all } = await project.upgrade(broken);
      expect(exitCode).toBe(1);
      expect(all).toContain("The new container of api did not become healthy.");
    });
    expect(report.failures).toEqual({});
    expect(await project.images()).toEqual(expect.arrayContaining(OURS.map((name) => `${REGISTRY}/${name}:previous`)));
    expect(await createLink()).toBeNull();
  });

  it("open and create links again after a restart of all containers", async () => {
    await project.compose("restart");
    await opens();
    await vi.waitFor(async () => expect(await createLink()).toBeNull(), WAIT);
  });

  it("open the links of a dump after it was restored, and no later ones", async () => {
    const run = ["run", "--rm", "--no-deps", "-T"];
    const dump = (await project.compose(...run, "backup", "now")).replace("wrote ", "");
    // Only root can read it, and the test may be another user.
    await project.compose(...run, "--entrypoint", "chmod", "backup", "644", dump);
    const later = GeneratedLink.parse(await (await postGenerate(uniqueUrl())).json());
    expect((await fetch(later.shortUrl, { redirect: "manual" })).status).toBe(302);
    await project.restore(join(backups, basename(dump)));
    await opens();
    expect((await fetch(later.shortUrl, { redirect: "manual" })).status).toBe(404);
    const sessions = ["exec", "-T", "redis-cache", "redis-cli", "KEYS", "session:*"];
    expect(await project.compose(...sessions)).toBe("");
  });

  it("each service may use what it needs in Redis", async () => {
    const logs = await project.compose("logs", "api", "redirect", "worker");
    expect(logs.includes("NOPERM")).toBe(false);
  });

  it("keep their data when they are removed and created again", async () => {
    await project.compose("down");
    await project.compose("up", "--detach", "--wait");
    await opens();
  });
});

/** Gives the built images another tag too. */
async function tagImages(tag: string): Promise<void> {
  for (const image of (await project.compose("config", "--images")).split("\n")) {
    const [name] = image.split(":");
    if (name?.startsWith(REGISTRY)) await project.docker("tag", image, `${name}:${tag}`);
  }
}

interface Target {
  labels: { job: string };
  health: string;
}

function postGenerate(url: string): Promise<Response> {
  return fetch(`${SITE}${generate.path}`, {
    method: generate.method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url }),
  });
}

const uniqueUrl = () => `https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&test=${randomUUID()}`;

async function createLink(): Promise<string | null> {
  const response = await postGenerate(uniqueUrl());
  return response.status === 201 ? null : `create: ${response.status} ${await response.text()}`;
}
