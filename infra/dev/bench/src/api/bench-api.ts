import { join } from "node:path";
import { describeMachine } from "@tapthru/chaos/report";
import { createSession } from "@tapthru/local/contract/callers";
import { today } from "@tapthru/local/processes/machine";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { withTemporaryStack } from "@tapthru/local/test-servers/start-temporarily";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { createLink, createLinks } from "@tapthru/proto/http/create-links";
import { createKey } from "@tapthru/proto/http/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { median, ratioRange } from "../median.ts";
import { cpuSeconds } from "../redirect/cpu-time.ts";
import { keepCoresAwake } from "../redirect/keep-awake.ts";
import { createFor } from "./creates.ts";
import { type ApiServer, type ApiServers, startApiServers } from "./servers.ts";

const LINK = { url: "https://www.amazon.com/dp/B0BENCH001?tag=anna-20" };
const ROUNDS = 15;
/** Enough creates for a 99th percentile. */
const LATENCY_SECONDS = 10;
/** Creates of each server before the first round, so that its code is compiled. */
const FIRST_CREATES = 2_000;
const REVOCATIONS = 20;

/** Measures creates beside a Koa that inserts one row, the bulk creation of links, and the revocation of API keys. */
export async function benchApi(signal: AbortSignal): Promise<string> {
  if (!findOnPath("wrk"))
    throw new UserFacingError("Missing: wrk. Install with `sudo apt-get install wrk`.");
  const machine = `${today()}, ${describeMachine()}.`;
  const rows = await withTemporaryStack(signal, async (folder, stack) => {
    const servers = await startApiServers(folder, stack, signal);
    await keepCoresAwake(stack, join(folder, "idle-load.log"));
    const cookie = await createSession({
      baseUrl: servers.api.origin,
      emulatorHost: servers.emulatorHost,
    });
    const { key } = await newKey(servers.api, cookie);
    return [
      ...(await measureCreates(servers, key)),
      await measureBulk(servers.api, key),
      await measureRevocation(servers, cookie),
    ];
  });
  return `${machine}\n\n| | measured |\n|---|---|\n${rows.join("\n")}`;
}

async function measureCreates({ api, startPeer }: ApiServers, key: string): Promise<string[]> {
  const created = await call(api, "POST", createLink.path, key, LINK);
  const { userId } = createLink.replies[201].parse(await created.json());
  const bare = await startPeer("bare Koa", Number(userId));
  const sameWork = await startPeer("Koa with the same work", Number(userId));
  for (const server of [bare, sameWork, api])
    for (let created = 0; created < FIRST_CREATES; )
      created += (await createFor(1, server, key)).responses;
  const rounds: { bare: Round; sameWork: Round; api: Round }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await measureRound(bare, key),
      sameWork: await measureRound(sameWork, key),
      api: await measureRound(api, key),
    });
  }
  const ofEach = (measure: (round: Round) => number) =>
    (["api", "bare", "sameWork"] as const)
      .map((name) => Math.round(median(rounds.map((round) => measure(round[name])))))
      .map((value) => value.toLocaleString("en"))
      .join("; ");
  const ratios = (ratioTo: (api: Round, peer: Round) => number) =>
    (["bare", "sameWork"] as const)
      .map((peer) => ratioRange(rounds.map((round) => ratioTo(round.api, round[peer]))))
      .join("; ");
  const peers = "bare Koa; Koa with the same work";
  return [
    row(
      `creates per second on one core; ${peers}`,
      ofEach(({ perSecond }) => perSecond),
    ),
    row(
      `CPU time of a create, µs; ${peers}`,
      ofEach(({ cpuMicros }) => cpuMicros),
    ),
    row(
      `ratio of rates (range) to the ${peers}`,
      ratios((own, peer) => own.perSecond / peer.perSecond),
    ),
    row(
      `ratio of CPU times (range) to the ${peers}`,
      ratios((own, peer) => peer.cpuMicros / own.cpuMicros),
    ),
    ...(await measureLatency(api, key, median(rounds.map((round) => round.api.perSecond)))),
  ];
}

async function measureLatency(api: ApiServer, key: string, perSecond: number): Promise<string[]> {
  const half = Math.round(perSecond / 2);
  const atFull = await createFor(LATENCY_SECONDS, api, key);
  const atHalf = await createFor(LATENCY_SECONDS, api, key, half);
  const percentiles = ({ p50Ms, p99Ms }: typeof atFull) =>
    `${p50Ms.toFixed(1)} ms; ${p99Ms.toFixed(1)} ms`;
  return [
    row("duration of a create: 50th percentile; 99th", percentiles(atFull)),
    row(`the same at half of that rate, ${half} per second`, percentiles(atHalf)),
  ];
}

interface Round {
  perSecond: number;
  cpuMicros: number;
}

async function measureRound(server: ApiServer, key: string): Promise<Round> {
  const before = cpuSeconds([server.pid]);
  const started = performance.now();
  const { responses } = await createFor(1, server, key);
  const seconds = (performance.now() - started) / 1_000;
  const cpu = cpuSeconds([server.pid]) - before;
  return { perSecond: responses / seconds, cpuMicros: (cpu * 1e6) / responses };
}

async function measureBulk(api: ApiServer, key: string): Promise<string> {
  const links = Array.from({ length: LINKS_CREATE_MAX_COUNT }, () => LINK);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await (await call(api, "POST", createLinks.path, key, { links })).json();
    times.push(performance.now() - started);
  }
  const perSecond = Math.round((links.length * 1_000) / median(times)).toLocaleString("en");
  return row(`${links.length} links at once`, `${inMs(times)}, ${perSecond} links per second`);
}

/** From the response to the revocation on one replica to the first refused request on the other. */
async function measureRevocation({ api, replica }: ApiServers, cookie: string): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < REVOCATIONS; round++) {
    const { id, key } = await newKey(api, cookie);
    await call(replica, "GET", "/api/links", key);
    const headers = { cookie, origin: api.origin };
    await fetch(`${api.origin}/api/keys/${id}`, { method: "DELETE", headers });
    const revoked = performance.now();
    while ((await request(replica, "GET", "/api/links", key)).status !== 401);
    times.push(performance.now() - revoked);
  }
  return row("a revoked key is refused by another replica after", inMs(times));
}

async function newKey({ origin }: ApiServer, cookie: string) {
  const response = await fetch(`${origin}${createKey.path}`, {
    method: "POST",
    headers: { cookie, origin, "content-type": "application/json" },
    body: JSON.stringify({ name: "Benchmark", scopes: API_KEY_SCOPES }),
  });
  return createKey.replies[201].parse(await response.json());
}

function request({ origin }: ApiServer, method: string, path: string, key: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(`${origin}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function call(...args: Parameters<typeof request>): Promise<Response> {
  const response = await request(...args);
  if (!response.ok) throw new Error(`${args[2]}: ${response.status} ${await response.text()}`);
  return response;
}

function inMs(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms (at most ${Math.max(...times).toFixed(1)} ms)`;
}

function row(name: string, value: string): string {
  const line = `| ${name} | ${value} |`;
  console.log(line);
  return line;
}
