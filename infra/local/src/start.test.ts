import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ledger, ledgerFile, livingMembers, readLedger } from "./ledger.ts";
import { processTable } from "./process-table.ts";
import { CHECKOUT } from "./settings.ts";
import { createStack, type Stack } from "./stack.ts";
import { freeStackEnv, startWholeStack } from "./stack-process.ts";
import { createTestRun, type TestRun } from "./test-run.ts";

const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

let run: TestRun;
let env: NodeJS.ProcessEnv;
let stack: Stack;
let starts = 0;

beforeAll(async () => {
  run = await createTestRun();
  env = await freeStackEnv(run.folder);
  await start();
}, 300_000);

afterAll(async () => {
  await stack.stop();
  await run.remove();
}, 120_000);

async function start(): Promise<void> {
  starts += 1;
  stack = createStack(run.ledger);
  await startWholeStack({ env, logFile: join(run.folder, `start-${starts}.log`) }, stack);
}

/** The process that was started, which leads a group of its own. */
function startPid(): number {
  return Number(readFileSync(join(run.folder, "start.pid"), "utf8"));
}

function children(): Ledger {
  const ledger = readLedger(ledgerFile(run.folder));
  if (ledger === null) throw new Error("Nothing runs.");
  return ledger;
}

async function makeLink(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${env.PORT}${generate.path}`, {
    method: generate.method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: PRODUCT }),
  });
  expect(response.status).toBe(201);
  return GeneratedLink.parse(await response.json()).shortUrl;
}

async function destination(shortUrl: string): Promise<string | null> {
  const headers = { "User-Agent": DESKTOP };
  const response = await fetch(shortUrl, { headers, redirect: "manual" });
  await response.body?.cancel();
  return response.headers.get("location");
}

function startAgain(changed: NodeJS.ProcessEnv = {}, options: readonly string[] = []) {
  const args = [join(CHECKOUT, "infra", "local", "src", "start.ts"), ...options];
  return execa(process.execPath, args, { env: { ...env, ...changed }, reject: false });
}

describe("start", () => {
  it("refuses to run twice in one data folder", async () => {
    const { exitCode, stderr } = await startAgain();
    expect(stderr).toBe(
      `Tapthru is already running here (process ${startPid()}): stop it first, with Ctrl-C.`,
    );
    expect(exitCode).toBe(1);
  });

  it("names a taken port and how to choose another", async () => {
    const other = await createTestRun();
    const { exitCode, stderr } = await startAgain({ TAPTHRU_DATA_DIR: other.folder });
    await other.remove();
    expect(stderr).toBe(
      `Port ${env.PORT} is taken: end what listens there, or choose another one with PORT.`,
    );
    expect(exitCode).toBe(1);
  });

  it("names two settings that want the same port", async () => {
    const other = await createTestRun();
    const changed = { TAPTHRU_DATA_DIR: other.folder, API_PORT: env.PORT };
    const { exitCode, stderr } = await startAgain(changed);
    await other.remove();
    expect(stderr).toBe(`PORT and API_PORT are both ${env.PORT}: each needs its own.`);
    expect(exitCode).toBe(1);
  });

  it("names an option it does not know", async () => {
    const { exitCode, stderr } = await startAgain({}, ["--dmeo"]);
    expect(stderr).toBe("There is no option --dmeo, only --demo.");
    expect(exitCode).toBe(1);
  });

  it("stops in good order on SIGTERM to its group, and finds its links again", async () => {
    const shortUrl = await makeLink();
    const ledger = children();
    process.kill(-startPid(), "SIGTERM");
    expect(await stack.died).toMatch(/^start ended with exit code 0/);
    expect(livingMembers(ledger, processTable())).toEqual([]);
    await start();
    expect(await destination(shortUrl)).toBe(PRODUCT);
  });

  it("ends what it left behind when it was killed, and goes on", async () => {
    const shortUrl = await makeLink();
    const ledger = children();
    process.kill(startPid(), "SIGKILL");
    expect(await stack.died).toMatch(/^start was ended by SIGKILL/);
    expect(livingMembers(ledger, processTable())).not.toEqual([]);
    await start();
    expect(livingMembers(ledger, processTable())).toEqual([]);
    expect(await destination(shortUrl)).toBe(PRODUCT);
  });

  it("names the process that died and stops the others", async () => {
    const ledger = children();
    const redirect = ledger.children.find((child) => child.name === "redirect");
    process.kill(redirect?.pid ?? Number.NaN, "SIGKILL");
    const ending = await stack.died;
    expect(ending).toMatch(/^start ended with exit code 1/);
    expect(ending).toContain("redirect was ended by SIGKILL");
    expect(livingMembers(ledger, processTable())).toEqual([]);
  });
}, 300_000);
