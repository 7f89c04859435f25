import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { bodyParser } from "@koa/bodyparser";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { runOf } from "@tapthru/stack/processes/guard";
import { runCommand } from "@tapthru/stack/run-command";
import { localDatabaseUrl } from "@tapthru/stack/servers/database";
import { cookiesOf, send, signUpAtProvider } from "@tapthru/stack/stack/built-in-identity";
import { readSettings } from "@tapthru/stack/stack/settings";
import Fastify from "fastify";
import Koa from "koa";
import pg from "pg";
import { Pool } from "undici";

const ROUNDS = 15;
const AGENTS = {
  "a link in memory": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15",
  "an app-opening page": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1",
  "a preview card": "facebookexternalhit/1.1",
};
type Request = () => Parameters<Pool["request"]>[0];

const [peer, argument = ""] = process.argv.slice(2);
if (peer === "fastify") serveRedirect(argument);
else if (peer === "koa") serveInsert(argument);
else await runCommand(bench);

function serveRedirect(location: string): void {
  const app = Fastify();
  app.get("/l/:code", (_request, reply) => reply.code(302).header("location", location).send());
  app.listen({ port: 0 }, (_error, address) => console.log(new URL(address).port));
}

function serveInsert(databaseUrl: string): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const text = `INSERT INTO links (short_code, original_url, web_url, deep_link, expires_at)
    VALUES ($1, $2, $2, $2 || '?product_id=' || $1, now() + interval '1 hour') RETURNING id`;
  const app = new Koa().use(bodyParser()).use(async (ctx) => {
    const { url } = ctx.request.body as { url: string };
    const { rows } = await pool.query({ name: "insert", text, values: [randomBytes(8).toString("hex"), url] });
    ctx.status = 201;
    ctx.body = rows[0];
  });
  const server = app.listen(0, () => console.log(Object(server.address()).port));
}

async function bench(): Promise<boolean> {
  const settings = readSettings(process.env);
  const { ports, dataDir } = settings;
  const site = `http://localhost:${ports.PORT}`;
  const pids = new Map((await runOf(dataDir))?.processes.map(({ name, pid }) => [name, pid]));
  const [api, redirect] = [pids.get("api"), pids.get("redirect")];
  if (api === undefined || redirect === undefined)
    throw new UserFacingError("Start a stack first: RATE_LIMITS=off METADATA_PAGE_FETCH=off pnpm start --demo");

  const name = `bench-${Date.now()}`;
  const url = `https://www.amazon.com/dp/B000000000?tag=bench-20&run=${name}`;
  const created = await send(site, { method: "POST", path: "/api/generate" }, { body: { url } });
  const { shortCode } = (await created.json()) as { shortCode: string };
  for (const [label, agent] of Object.entries(AGENTS)) {
    const visit = { method: "GET", path: `/l/${shortCode}`, headers: { "user-agent": agent } } as const;
    await compare(label, ["fastify", url], { port: ports.REDIRECT_PORT, pid: redirect }, 64, () => visit);
  }

  const account = { username: name, email: `${name}@load.example`, password: `${name}-password` };
  const cookie = cookiesOf(await signUpAtProvider(site, account));
  const headers = { cookie, origin: site, "content-type": "application/json" };
  let product = (Date.now() % 10_000) * 100_000;
  await compare("a create", ["koa", localDatabaseUrl(settings)], { port: ports.API_PORT, pid: api }, 4, () => {
    const address = `https://www.amazon.com/dp/B${String(product++).padStart(9, "0")}?tag=anna-20`;
    return { method: "POST", path: "/api/generate", headers, body: JSON.stringify({ url: address }) };
  });
  return true;
}

type Server = Record<"port" | "pid", number>;

/** Loads both in alternating seconds, so that other load on the machine affects both, and prints the median ratio. */
async function compare(label: string, peerArguments: string[], own: Server, connections: number, request: Request) {
  const peer = spawn(process.execPath, [import.meta.filename, ...peerArguments]);
  const bare = { port: Number(String(await once(peer.stdout, "data"))), pid: peer.pid ?? 0 };
  const rounds: Record<"own" | "ratio", number>[] = [];
  try {
    for (let i = 0; i < ROUNDS; i++) {
      const cpu = await cpuOfRequest(own, connections, request);
      rounds.push({ own: cpu, ratio: (await cpuOfRequest(bare, connections, request)) / cpu });
    }
  } finally {
    peer.kill();
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[ROUNDS >> 1];
  console.log(`${label}: ${middle?.ratio.toFixed(2)} of a bare ${peerArguments[0]}, ${middle?.own.toFixed(0)} µs`);
}

/** Sends requests for a second. @returns microseconds of CPU time of the server for each */
async function cpuOfRequest({ port, pid }: Server, connections: number, request: Request): Promise<number> {
  const pool = new Pool(`http://localhost:${port}`, { connections });
  const before = cpuMicros(pid);
  const end = performance.now() + 1_000;
  let count = 0;
  const sendUntilEnd = async () => {
    for (; performance.now() < end; count++) {
      const { statusCode, body } = await pool.request(request());
      await body.dump();
      if (statusCode >= 400) throw new Error(`Port ${port} responds with ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendUntilEnd));
  const cpu = cpuMicros(pid) - before;
  await pool.close();
  return cpu / count;
}

/** The CPU time of all threads of a process, which Linux counts in nanoseconds. */
function cpuMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8"),
  );
  return threads.reduce((sum, thread) => sum + Number(thread.split(" ")[0]) / 1_000, 0);
}
