import { appendFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { withClient } from "@tapthru/postgres/with-client";
import { Redis } from "ioredis";
import { expect, it } from "vitest";
import type { CheckResult } from "./check-result.ts";
import { readClickCounts } from "./evidence/click-counts.ts";
import { formsOf } from "./evidence/forms.ts";
import {
  readKeys,
  readLogs,
  readTables,
  recordCommands,
  type StoredText,
} from "./evidence/stored-texts.ts";
import type { Trial } from "./fault-case.ts";
import { insertProjectedLinks } from "./load/visits/warm-links.ts";
import { runExperiment } from "./run-case.ts";
import { redirectEndpoints } from "./testbed/testbed-config.ts";

const ADDRESSES = ["203.0.113.77", "2001:db8:77::beef", "127.66.77.88"];
const AGENT_MARK = "Canary/77.66.55";
const AGENTS = {
  person: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 ${AGENT_MARK}`,
  phone: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 395.0.0.32.87 ${AGENT_MARK}`,
  preview: `facebookexternalhit/1.1 ${AGENT_MARK}`,
  bot: `curl/8.5.0 ${AGENT_MARK}`,
};
const OTHERS = [
  "canary-of-a-cookie",
  "canary-of-a-referrer",
  "canary-of-a-query",
  "canary-of-a-body",
];
const IDENTIFIERS = [...ADDRESSES, AGENT_MARK, ...Object.values(AGENTS), ...OTHERS];

/** Sends a visit with everything that could identify the visitor. */
function visit(
  url: string,
  {
    agent,
    address,
    ...options
  }: { agent: string; address: string; method?: string; body?: string; purpose?: string },
): Promise<number> {
  const headers = {
    "user-agent": agent,
    "x-forwarded-for": address,
    referer: "https://blog.example/canary-of-a-referrer?canary-of-a-referrer",
    cookie: "visitor=canary-of-a-cookie",
    ...(options.purpose && { "sec-purpose": options.purpose }),
  };
  // Other systems have only one local address.
  const local = process.platform === "linux" ? { localAddress: "127.66.77.88" } : {};
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(url, { method: options.method ?? "GET", headers, ...local }, (response) => {
    response.resume().on("end", () => resolve(response.statusCode ?? 0));
  });
  sent.on("error", reject).end(options.body);
  return promise;
}

/** Visits of each class, and requests that fail, from each address: at the gateway, and at redirects as its proxy. */
async function sendVisits({ testbed }: Trial, shortCode: string): Promise<void> {
  const origins = [testbed.url, ...redirectEndpoints(testbed.config).map(({ origin }) => origin)];
  for (const origin of origins) {
    const link = `${origin}/l/${shortCode}`;
    for (const address of ADDRESSES) {
      for (const agent of Object.values(AGENTS)) {
        expect([200, 302]).toContain(
          await visit(`${link}?canary-of-a-query=1`, { agent, address }),
        );
      }
      const person = { agent: AGENTS.person, address };
      expect(await visit(link, { ...person, purpose: "prefetch" })).toBe(302);
      expect(await visit(`${origin}/l/2222222?canary-of-a-query=1`, person)).toBe(404);
      expect(await visit(`${origin}/l/%zz`, person)).toBeGreaterThanOrEqual(400);
      const report = { method: "POST", body: "canary-of-a-body" };
      expect(await visit(`${link}/outcome`, { ...person, ...report })).toBe(204);
    }
  }
}

async function readEverything(
  { testbed }: Trial,
  redises: readonly Redis[],
): Promise<StoredText[]> {
  const keys = await Promise.all(redises.map(readKeys));
  const tables = await readTables(testbed.databaseUrl);
  return [...keys.flat(), ...tables, ...(await readLogs(testbed.config.first.logsDir))];
}

/** Each identifier of a visitor in the texts, with its place. */
function tracesIn(texts: readonly StoredText[]): string[] {
  return texts.flatMap(({ place, text }) => {
    const lowerCase = text.toLowerCase();
    return IDENTIFIERS.filter((identifier) =>
      formsOf(identifier).some((form) => lowerCase.includes(form)),
    ).map((identifier) => `${identifier} in ${place}`);
  });
}

/** Stores an identifier in a table, both Redis servers and a log. */
async function plant({ testbed }: Trial, [cache, queue]: readonly Redis[]): Promise<void> {
  await cache?.set("visitor", AGENT_MARK);
  await queue?.hset("visitor", { address: formsOf(ADDRESSES[0] ?? "").at(-1) ?? "" });
  await withClient(testbed.databaseUrl, (client) =>
    client.query(`UPDATE clicks SET counts = counts || '{"agent": "${AGENT_MARK}"}'`),
  );
  await appendFile(join(testbed.config.first.logsDir, "redirect-1.log"), ADDRESSES[1] ?? "");
}

it("no address, agent or other identifier of a visitor is stored in Postgres, Redis or a log", async () => {
  const texts: StoredText[] = [];
  const planted: string[] = [];
  const newKeys: string[] = [];

  async function run(trial: Trial): Promise<CheckResult[]> {
    const { config, databaseUrl } = trial.testbed;
    const ports = [config.cachePort, config.queuePort];
    const redises = ports.map((port) => new Redis({ port, retryStrategy: null }));
    const [{ shortCode = "" } = {}] = await insertProjectedLinks(trial, 1);
    await visit(`${trial.testbed.url}/l/${shortCode}`, { agent: "curl/8.5.0", address: "" });
    const keysBefore = new Set((await Promise.all(redises.map((redis) => redis.keys("*")))).flat());
    const recordings = await Promise.all(ports.map(recordCommands));

    await sendVisits(trial, shortCode);
    const isCounted = async () => {
      const clicks = (await readClickCounts(databaseUrl)).get(shortCode);
      return clicks?.person === 18 && clicks.prefetch === 9 && clicks.preview === 9;
    };
    await trial.until("all visits are counted", isCounted, 30_000);

    texts.push(...(await readEverything(trial, redises)), ...recordings.map((stop) => stop()));
    const keys = (await Promise.all(redises.map((redis) => redis.keys("*")))).flat();
    newKeys.push(...keys.filter((key) => !keysBefore.has(key)));
    await plant(trial, redises);
    planted.push(...tracesIn(await readEverything(trial, redises)));
    for (const redis of redises) redis.disconnect();
    return [];
  }

  const experiment = { id: "visitor-traces", timeoutMs: 120_000, run };
  const results = await runExperiment(experiment, 1, new AbortController().signal);

  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(texts.map(({ place }) => place)).toContain("access.log");
  // The batches are among the commands.
  expect(texts.map(({ text }) => text).join("\n")).toMatch(/"visitors":\[\d/);
  expect(tracesIn(texts)).toEqual([]);
  expect(newKeys.filter((key) => !/^\{clicks\}:|^bull:/.test(key))).toEqual([]);
  expect(planted).toEqual(
    expect.arrayContaining([
      `${AGENT_MARK} in key visitor`,
      `${ADDRESSES[0]} in key visitor`,
      expect.stringMatching(new RegExp(`^${AGENT_MARK} in table clicks_`)),
      `${ADDRESSES[1]} in redirect-1.log`,
    ]),
  );
}, 300_000);
