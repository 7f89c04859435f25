import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { isDockerAvailable } from "@tapthru/stack/programs/docker";
import { step } from "@tapthru/stack/stack/step";
import { waitFor } from "@tapthru/stack/stack/wait-for";
import { composeProject } from "./compose-project.ts";
import { openLink, underLoad } from "./load.ts";

/**
 * Starts the containers as a separate project, creates and visits a link, restarts, upgrades and moves services under
 * load, stops and starts everything, and removes it. Takes ten minutes including the image builds.
 */
const PORT = 28_080;
const PROMETHEUS_PORT = 29_090;
const SITE = `http://localhost:${PORT}`;
const STAND_IN = "10.87.58.250";
const UPGRADE_PAUSE_MAX_MS = 5_000;
/** Longer than an orchestrator waits before it restarts a process. */
const WITHOUT_DEPENDENCIES_MS = 30_000;
const PASTED_URL = "https://amzn.to/3TapTru";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

if (!(await isDockerAvailable())) {
  console.error("No Docker engine responds here, so nothing was tested: start Docker.");
  process.exit(1);
}

const project = await composeProject("tapthru-smoke", {
  COMPOSE_PROFILES: "demo,monitoring",
  PUBLIC_BASE_URL: SITE,
  PUBLISH_PORT: String(PORT),
  PROMETHEUS_PORT: String(PROMETHEUS_PORT),
  ALERTMANAGER_PORT: "29093",
  NETWORK: "10.87.58.0/24",
  NETWORK_GIVEN_OUT: "10.87.58.0/25",
  STAND_IN_ADDRESS: STAND_IN,
  GATEWAY_METRICS_ADDRESS: "10.87.58.249",
  EGRESS_STAND_IN_URL: `http://${STAND_IN}:8090`,
  // All requests come from one address.
  RATE_LIMITS: "off",
});

try {
  await step("build", () => project.compose("build"));
  const waiting = await step("services wait for their dependencies", waitWithoutDependencies);
  await step("and become ready without a restart", () => findDependencies(waiting));
  await step("up", () => project.compose("up", "--detach"));
  await step("responds", () => until(async () => (await fetch(SITE)).ok));
  const { shortUrl, originalUrl } = await step("link", createPastedLink);
  await step("open", () => openOnEachDevice(shortUrl, originalUrl));
  await step("accounts", () => until(canSignUp));
  await step("scrape", () => until(everythingIsScraped));

  const [replica = ""] = await project.containers("redirect");
  for (const how of ["restart", "kill"] as const) {
    await step(`${how} a redirect replica under load`, async () => {
      const report = await underLoad(shortUrl, originalUrl, async () => {
        await project[how](replica);
        await until(() => project.isHealthy(replica));
      });
      console.log(report);
      assert.deepEqual(report.failures, []);
      assert.equal(report.late, 0);
    });
  }
  await step("upgrade under load", async () => {
    const report = await underLoad(shortUrl, originalUrl, () => project.upgrade(), createLink);
    console.log({ ...report, failures: report.failures.length });
    // Connections are refused while the gateway is replaced.
    assert.deepEqual(new Set(report.failures), new Set(["TypeError: fetch failed"]));
    assert(report.failedForMs < UPGRADE_PAUSE_MAX_MS);
  });
  await step("responds again after a restart of all containers", async () => {
    await project.compose("restart");
    await until(async () => (await openLink(shortUrl, originalUrl)) === null);
    await until(async () => (await createLink()) === null);
  });
  await step("find the api at another address within 5 s", async () => {
    const [api = ""] = await project.containers("api");
    await project.move(api, "api", "10.87.58.200");
    await until(async () => (await fetch(`${SITE}/api/visitor`)).ok, 5_000);
  });

  await step("down", () => project.compose("down"));
  await step("up again", () => project.compose("up", "--detach"));
  await step("open again", () =>
    until(async () => (await openLink(shortUrl, originalUrl)) === null),
  );
} finally {
  await project.compose("down", "--volumes", "--timeout", "10");
}

async function until(condition: () => Promise<boolean>, within = 120_000): Promise<void> {
  const isMet = await waitFor(() => condition().catch(() => false), { within, every: 100 });
  assert(isMet, `timeout after ${within} ms: ${condition}`);
}

/** Starts the services while not even the host names of Postgres and Redis exist. Returns their containers. */
async function waitWithoutDependencies(): Promise<string[]> {
  const services = ["api", "redirect", "worker"];
  await project.compose("up", "--detach", "--no-deps", ...services);
  const containers = (await Promise.all(services.map(project.containers))).flat();
  const probe = (path: string) =>
    Promise.all(containers.map((container) => project.adminStatus(container, path)));
  await until(async () => (await probe("/livez")).every((status) => status === 200));
  await delay(WITHOUT_DEPENDENCIES_MS);
  assert.deepEqual(new Set(await probe("/livez")), new Set([200]));
  assert.deepEqual(new Set(await probe("/readyz")), new Set([503]));
  return containers;
}

/** Compose 1.29 does not start a gateway while an api or a redirect is unhealthy. */
async function findDependencies(containers: readonly string[]): Promise<void> {
  await project.compose("up", "--detach", "migrate", "redis-cache", "redis-queue");
  await until(async () => (await Promise.all(containers.map(project.isHealthy))).every(Boolean));
  assert.deepEqual(new Set(await Promise.all(containers.map(project.restarts))), new Set([0]));
}

async function createPastedLink() {
  const response = await postGenerate(PASTED_URL);
  assert.equal(response.status, 201);
  return GeneratedLink.parse(await response.json());
}

/** Creates a new link; returns an error message, or null. */
async function createLink(): Promise<string | null> {
  const url = `https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&smoke=${randomUUID()}`;
  const response = await postGenerate(url);
  return response.status === 201 ? null : `create: ${response.status} ${await response.text()}`;
}

function postGenerate(url: string): Promise<Response> {
  return fetch(`${SITE}${generate.path}`, {
    method: generate.method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url }),
  });
}

async function openOnEachDevice(shortUrl: string, location: string): Promise<void> {
  assert.equal(await openLink(shortUrl, location), null);
  const page = await fetch(shortUrl, { headers: { "User-Agent": IPHONE }, redirect: "manual" });
  assert.equal(page.status, 200);
}

async function canSignUp(): Promise<boolean> {
  const path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo";
  const { ok } = await fetch(`${SITE}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ returnSecureToken: true }),
  });
  return ok;
}

interface Target {
  labels: { job: string };
  health: string;
}

async function everythingIsScraped(): Promise<boolean> {
  const response = await fetch(`http://localhost:${PROMETHEUS_PORT}/api/v1/targets?state=active`);
  const { data } = (await response.json()) as { data: { activeTargets: Target[] } };
  const up = data.activeTargets.filter(({ health }) => health === "up");
  const jobs = up.map(({ labels }) => labels.job).sort();
  return (
    jobs.join() ===
    "prometheus,tapthru-api,tapthru-gateway-metrics,tapthru-gateway-probe,tapthru-redirect,tapthru-redirect,tapthru-worker"
  );
}
