import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresFolder } from "@tapthru/local/servers/postgres-home";
import { createStack, type Stack } from "@tapthru/local/stack/stack";
import { isolatedStackEnv, startWholeStack } from "@tapthru/local/stack/stack-process";
import { createTestRun, type TestRun } from "@tapthru/local/test-servers/test-run";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { execa } from "execa";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { TestUser } from "./testing/test-user.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1&n=";

const WAIT = { timeout: 60_000 };

let run: TestRun;
let env: NodeJS.ProcessEnv;
let stack: Stack;
let backup: string;

beforeAll(async () => {
  run = await createTestRun();
  const free = await isolatedStackEnv(run.folder);
  env = { ...free, PUBLIC_BASE_URL: `http://127.0.0.1:${free.PORT}`, DATABASE_URL: undefined };
  backup = join(run.folder, "backup");
  await start("first");
}, 300_000);

afterAll(async () => {
  await stack.stop();
  await run.remove();
}, 120_000);

async function start(name: string): Promise<void> {
  stack = createStack(run.ledger);
  await startWholeStack({ env, logFile: join(run.folder, `${name}.log`) }, stack);
}

const ops = (action: string) => execa(process.execPath, [MAIN, action, backup], { env });

async function open(shortCode: string): Promise<{ status: number; location: string | null }> {
  const url = `${env.PUBLIC_BASE_URL}/l/${shortCode}`;
  const { status, headers } = await fetch(url, { redirect: "manual" });
  return { status, location: headers.get("location") };
}

/** How many of the links have a record in Redis. */
async function countRecords(shortCodes: Iterable<string>): Promise<number> {
  const redis = new Redis({ port: Number(env.REDIS_PORT) });
  const count = await redis.exists(...[...shortCodes].map(redirectKey));
  redis.disconnect();
  return count;
}

it("restores every link and every account after the data of Postgres and Redis are lost", async () => {
  const site = env.PUBLIC_BASE_URL ?? "";
  const users = [1, 2, 3].map((number) => new TestUser(site, `user-${number}`));
  const links = new Map<string, string>();
  for (const [index, user] of users.entries()) {
    await user.signUp();
    const url = `${PRODUCT}${index}`;
    links.set(await user.createLink(url), url);
  }
  const anonymous = await new TestUser(site, "visitor").createLink(`${PRODUCT}anonymous`);
  links.set(anonymous, `${PRODUCT}anonymous`);
  const [first] = users;
  const deleted = await first?.createLink(`${PRODUCT}deleted`);
  await first?.deleteLink(deleted ?? "");

  expect((await ops("backup")).stdout).toMatch(/^Backed up 4 links and 3 users/);
  await expect(ops("restore")).rejects.toThrow("already running");
  await stack.stop();
  await rm(join(postgresFolder(run.folder), "cluster"), { recursive: true });
  await rm(join(run.folder, "redis"), { recursive: true });

  expect((await ops("restore")).stdout).toMatch(/^Restored 4 links and 3 users/);
  await start("second");
  await vi.waitUntil(async () => (await countRecords(links.keys())) === links.size, WAIT);
  for (const [shortCode, location] of links) {
    expect(await open(shortCode)).toEqual({ status: 302, location });
  }
  expect((await open(deleted ?? "")).status).toBe(404);
  for (const [index, user] of users.entries()) {
    await user.signIn();
    expect(await user.destinations()).toEqual([`${PRODUCT}${index}`]);
  }
  const afterRestore = await first?.createLink(`${PRODUCT}after-restore`);
  await vi.waitUntil(
    async () => (await open(afterRestore ?? "")).location === `${PRODUCT}after-restore`,
    WAIT,
  );
}, 600_000);
