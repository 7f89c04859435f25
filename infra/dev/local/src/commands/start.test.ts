import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEMO_ACCOUNTS_WARNING } from "../demo-accounts-warning.ts";
import {
  ledgerFile,
  liveProcesses,
  type ProcessLedger,
  readLedger,
} from "../processes/process-ledger.ts";
import { processTable } from "../processes/process-table.ts";
import { CHECKOUT } from "../stack/settings.ts";
import { createStack, type Stack } from "../stack/stack.ts";
import { freeStackEnv, startWholeStack } from "../stack/stack-process.ts";
import { createTestRun, type TestRun } from "../test-servers/test-run.ts";

const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

const PERSON = { email: "kept@t.example", password: "secret-1" };

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
  await startWholeStack({ env, logFile: startLog() }, stack);
}

function startLog(): string {
  return join(run.folder, `start-${starts}.log`);
}

/** The process that was started, which leads a group of its own. */
function startPid(): number {
  return Number(readFileSync(join(run.folder, "start.pid"), "utf8"));
}

function children(): ProcessLedger {
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

/** A call of the Firebase SDK, at the site's own address. */
async function identityCall(call: string, body: object): Promise<number> {
  const base = `http://127.0.0.1:${env.PORT}/identitytoolkit.googleapis.com/v1`;
  const response = await fetch(`${base}/accounts:${call}?key=demo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

/** Whether the account's newest state is safe on disk. */
function isExported(text: string): boolean {
  const files = globSync("emulator/exports/*/auth_export/accounts.json", { cwd: run.folder });
  return files.some((file) => readFileSync(join(run.folder, file), "utf8").includes(text));
}

function startAgain(changed: NodeJS.ProcessEnv = {}, options: readonly string[] = []) {
  const args = [join(CHECKOUT, "infra", "dev", "local", "src", "commands", "start.ts"), ...options];
  return execa(process.execPath, args, {
    env: { ...env, ...changed },
    extendEnv: false,
    reject: false,
  });
}

describe("start", () => {
  it("says that accounts of the emulator are not protected", () => {
    expect(readFileSync(startLog(), "utf8")).toContain(DEMO_ACCOUNTS_WARNING);
  });

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

  it("stops in good order on SIGTERM to its group, and finds links and accounts again", async () => {
    const shortUrl = await makeLink();
    expect(await identityCall("signUp", PERSON)).toBe(200);
    const ledger = children();
    process.kill(-startPid(), "SIGTERM");
    expect(await stack.died).toMatch(/^start ended with exit code 0/);
    expect(liveProcesses(ledger, processTable())).toEqual([]);
    await start();
    expect(await destination(shortUrl)).toBe(PRODUCT);
    expect(await identityCall("signInWithPassword", PERSON)).toBe(200);
  });

  it("has db:seed make an account to look at, which can log in", async () => {
    const command = join(
      CHECKOUT,
      "infra",
      "dev",
      "local",
      "src",
      "commands",
      "database-command.ts",
    );
    const { stdout } = await execa(process.execPath, [command, "seed"], {
      env,
      extendEnv: false,
    });
    const [, email, password] = /^Log in as (\S+) with (\S+)[.]$/m.exec(stdout) ?? [];
    expect(await identityCall("signInWithPassword", { email, password })).toBe(200);
  });

  it("prints the link that the emulator would have sent, and it sets a new password", async () => {
    const { email } = PERSON;
    expect(await identityCall("sendOobCode", { email, requestType: "PASSWORD_RESET" })).toBe(200);
    const [link] = await vi.waitUntil(
      () => /http:.+oobCode=.+/.exec(readFileSync(startLog(), "utf8")),
      { timeout: 30_000 },
    );
    expect(link).toMatch(`http://localhost:${env.PORT}/emulator/action?`);
    expect(await (await fetch(link)).text()).toContain("Choose a new password");

    PERSON.password = "secret-2";
    expect((await fetch(`${link}&newPassword=${PERSON.password}`)).status).toBe(200);
    expect(await identityCall("signInWithPassword", PERSON)).toBe(200);
  });

  it("loses nothing when it and the emulator are killed, and ends what was left behind", async () => {
    const shortUrl = await makeLink();
    await vi.waitUntil(() => isExported(PERSON.password), { timeout: 30_000 });
    const ledger = children();
    const emulator = ledger.children.find((child) => child.name === "Firebase emulator");
    process.kill(startPid(), "SIGKILL");
    process.kill(-(emulator?.pid ?? Number.NaN), "SIGKILL");
    expect(await stack.died).toMatch(/^start was ended by SIGKILL/);
    expect(liveProcesses(ledger, processTable())).not.toEqual([]);
    await start();
    expect(liveProcesses(ledger, processTable())).toEqual([]);
    expect(await destination(shortUrl)).toBe(PRODUCT);
    expect(await identityCall("signInWithPassword", PERSON)).toBe(200);
  });

  it("names the process that died and stops the others", async () => {
    const ledger = children();
    const redirect = ledger.children.find((child) => child.name === "redirect");
    process.kill(redirect?.pid ?? Number.NaN, "SIGKILL");
    const ending = await stack.died;
    expect(ending).toMatch(/^start ended with exit code 1/);
    expect(ending).toContain("redirect was ended by SIGKILL");
    expect(liveProcesses(ledger, processTable())).toEqual([]);
  });
}, 300_000);
