import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresFolder } from "@tapthru/local/servers/postgres-home";
import { createStack, type Stack } from "@tapthru/local/stack/stack";
import { freeStackEnv, startWholeStack } from "@tapthru/local/stack/stack-process";
import { createTestRun, type TestRun } from "@tapthru/local/test-servers/test-run";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { execa } from "execa";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { TestPerson } from "./testing/test-person.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1&n=";

/** Far more than it takes. */
const SOON = { timeout: 60_000 };

let run: TestRun;
let env: NodeJS.ProcessEnv;
let stack: Stack;
let backup: string;

beforeAll(async () => {
  run = await createTestRun();
  const free = await freeStackEnv(run.folder);
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

const ops = (verb: string) => execa(process.execPath, [MAIN, verb, backup], { env });

async function open(shortCode: string): Promise<{ status: number; location: string | null }> {
  const url = `${env.PUBLIC_BASE_URL}/l/${shortCode}`;
  const { status, headers } = await fetch(url, { redirect: "manual" });
  return { status, location: headers.get("location") };
}

/** Which of the links have a record in Redis. */
async function countRecords(shortCodes: Iterable<string>): Promise<number> {
  const redis = new Redis({ port: Number(env.REDIS_PORT) });
  const count = await redis.exists(...[...shortCodes].map(redirectKey));
  redis.disconnect();
  return count;
}

it("brings every link and every account back after Postgres and Redis are gone", async () => {
  const site = env.PUBLIC_BASE_URL ?? "";
  const people = [1, 2, 3].map((number) => new TestPerson(site, `person-${number}`));
  const links = new Map<string, string>();
  for (const [index, person] of people.entries()) {
    await person.signUp();
    const url = `${PRODUCT}${index}`;
    links.set(await person.makeLink(url), url);
  }
  const anonymous = await new TestPerson(site, "nobody").makeLink(`${PRODUCT}anonymous`);
  links.set(anonymous, `${PRODUCT}anonymous`);
  const [first] = people;
  const deleted = await first?.makeLink(`${PRODUCT}deleted`);
  await first?.deleteLink(deleted ?? "");

  expect((await ops("backup")).stdout).toMatch(/^Backed up 4 links and 3 users/);
  await expect(ops("restore")).rejects.toThrow("already running");
  await stack.stop();
  await rm(join(postgresFolder(run.folder), "cluster"), { recursive: true });
  await rm(join(run.folder, "redis"), { recursive: true });

  expect((await ops("restore")).stdout).toMatch(/^Restored 4 links and 3 users/);
  await start("second");
  await vi.waitUntil(async () => (await countRecords(links.keys())) === links.size, SOON);
  for (const [shortCode, location] of links) {
    expect(await open(shortCode)).toEqual({ status: 302, location });
  }
  expect((await open(deleted ?? "")).status).toBe(404);
  for (const [index, person] of people.entries()) {
    await person.logIn();
    expect(await person.addresses()).toEqual([`${PRODUCT}${index}`]);
  }
  const again = await first?.makeLink(`${PRODUCT}again`);
  await vi.waitUntil(async () => (await open(again ?? "")).location === `${PRODUCT}again`, SOON);
}, 600_000);
