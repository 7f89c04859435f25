import { globSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEMO_ACCOUNTS_WARNING } from "../emulator/emulator.ts";
import { type Guard, type Run, runOf, startGuard } from "../processes/guard.ts";
import { createStack, type Stack } from "../processes/stack.ts";
import { postgresFolder } from "../servers/postgres-home.ts";
import { redirectReplicasOf } from "../stack/redirect-replicas.ts";
import { CHECKOUT, readSettings } from "../stack/settings.ts";
import { isolatedStackEnv, startWholeStack } from "../stack/test-stack.ts";

const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

const USER = { email: "kept@t.example", password: "secret-1" };

let folder: string;
let guard: Guard;
let env: NodeJS.ProcessEnv;
let stack: Stack;
let starts = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-test-"));
  guard = startGuard({ temporaryFolders: [folder, postgresFolder(folder)] });
  env = { ...(await isolatedStackEnv(folder)), REDIRECT_REPLICAS: "2" };
  await start();
}, 300_000);

afterAll(async () => {
  await stack.stop();
  await guard.close();
}, 120_000);

async function start(): Promise<void> {
  starts += 1;
  stack = createStack(guard);
  await startWholeStack({ env, logFile: startLog() }, stack);
}

function startLog(): string {
  return join(folder, `start-${starts}.log`);
}

async function currentRun(): Promise<Run> {
  const run = await runOf(folder);
  if (run === null) throw new Error("No stack is running.");
  return run;
}

/** The names of the processes of a run that have not ended. */
function leftovers({ processes }: Run): string[] {
  return processes.filter(({ pid }) => isRunning(pid)).map(({ name }) => name);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

async function kill(name: string): Promise<void> {
  const { processes } = await currentRun();
  process.kill(processes.find((one) => one.name === name)?.pid ?? Number.NaN, "SIGKILL");
}

async function createLink(): Promise<string> {
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

/** A call like those of the Firebase SDK, to the site's address. */
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

/** Whether an export on disk contains the text. */
function isExported(text: string): boolean {
  const files = globSync("emulator/exports/*/auth_export/accounts.json", { cwd: folder });
  return files.some((file) => readFileSync(join(folder, file), "utf8").includes(text));
}

function startAgain(changed: NodeJS.ProcessEnv = {}) {
  const program = join(CHECKOUT, "infra", "dev", "stack", "src", "commands", "start.ts");
  return execa(process.execPath, [program], {
    env: { ...env, ...changed },
    extendEnv: false,
    reject: false,
  });
}

describe("start", () => {
  it("warns that accounts of the emulator are not protected", () => {
    expect(readFileSync(startLog(), "utf8")).toContain(DEMO_ACCOUNTS_WARNING);
  });

  it("runs as many redirects as REDIRECT_REPLICAS, which the gateway balances and limits", async () => {
    const names = (await currentRun()).processes.map(({ name }) => name);
    const config = readFileSync(join(folder, "gateway", "nginx.conf"), "utf8");
    const replicas = redirectReplicasOf(readSettings(env));
    expect(replicas).toHaveLength(2);
    for (const { name, port } of replicas) {
      expect(names).toContain(name);
      expect(config).toContain(`server "127.0.0.1:${port}" max_conns=512 `);
    }
    expect(await destination(await createLink())).toBe(PRODUCT);
  });

  it("refuses to run twice with one data folder", async () => {
    const { exitCode, stderr } = await startAgain();
    expect(stderr).toBe(
      `Tapthru is already running here (process ${(await currentRun()).owner}): stop it first, with Ctrl-C.`,
    );
    expect(exitCode).toBe(1);
  });

  it("names a port in use and the setting that changes it", async () => {
    const { exitCode, stderr } = await startAgain({ TAPTHRU_DATA_DIR: join(folder, "other") });
    expect(stderr).toBe(
      `Port ${env.PORT} is in use: stop the program that listens on it, or set PORT.`,
    );
    expect(exitCode).toBe(1);
  });

  it("shuts down gracefully on SIGTERM to its group, and keeps links and accounts", async () => {
    const shortUrl = await createLink();
    expect(await identityCall("signUp", USER)).toBe(200);
    const run = await currentRun();
    process.kill(-run.owner, "SIGTERM");
    expect(await stack.died).toMatch(/^start ended with exit code 0/);
    expect(leftovers(run)).toEqual([]);
    await start();
    expect(await destination(shortUrl)).toBe(PRODUCT);
    expect(await identityCall("signInWithPassword", USER)).toBe(200);
  });

  it("has db:seed create an account that can log in", async () => {
    const command = join(CHECKOUT, "infra/dev/stack/src/commands/seed-command.ts");
    const { stdout } = await execa(process.execPath, [command], {
      env,
      extendEnv: false,
    });
    const [, email, password] = /^Log in as (\S+) with (\S+)[.]$/m.exec(stdout) ?? [];
    expect(await identityCall("signInWithPassword", { email, password })).toBe(200);
  });

  it("prints the password reset link, which sets a new password", async () => {
    const { email } = USER;
    expect(await identityCall("sendOobCode", { email, requestType: "PASSWORD_RESET" })).toBe(200);
    const [link] = await vi.waitUntil(
      () => /http:.+oobCode=.+/.exec(readFileSync(startLog(), "utf8")),
      { timeout: 30_000 },
    );
    expect(link).toMatch(`http://localhost:${env.PORT}/emulator/action?`);
    expect(await (await fetch(link)).text()).toContain("Choose a new password");

    USER.password = "secret-2";
    expect((await fetch(`${link}&newPassword=${USER.password}`)).status).toBe(200);
    expect(await identityCall("signInWithPassword", USER)).toBe(200);
  });

  it("loses nothing when it and the emulator are killed, and leaves no process behind", async () => {
    const shortUrl = await createLink();
    await vi.waitUntil(() => isExported(USER.password), { timeout: 30_000 });
    const run = await currentRun();
    await kill("Firebase emulator");
    process.kill(run.owner, "SIGKILL");
    expect(await stack.died).toMatch(/^start was killed by SIGKILL/);
    await start();
    expect(leftovers(run)).toEqual([]);
    expect(await destination(shortUrl)).toBe(PRODUCT);
    expect(await identityCall("signInWithPassword", USER)).toBe(200);
  });

  it("names the process that ended and stops the others", async () => {
    const run = await currentRun();
    await kill("redirect");
    const message = await stack.died;
    expect(message).toMatch(/^start ended with exit code 1/);
    expect(message).toContain("redirect was killed by SIGKILL");
    expect(leftovers(run)).toEqual([]);
  });
}, 300_000);
