import { decodeBatch } from "@tapthru/core/platform/redis/click-stream";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { CLICK_STREAMS } from "@tapthru/proto/clicks/batch";
import { outcomePath, outcomeStrategy } from "@tapthru/proto/redirect/outcome";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { Redis } from "ioredis";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld } from "../testing/start-world.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, newCode } from "../testing/test-service.ts";

const ADDRESS = "203.0.113.77";
/** Browsers send it with each page view. */
const LANGUAGE = { "accept-language": "de" };
const GERMANY = { "cf-ipcountry": "DE" };

// Otherwise a Redis that is killed may lose its last second, and a batch that is sent again is there only once.
const queue: ControlledRedis = await startRedis({ settings: ["--appendfsync", "always"] });
const redis = new Redis(queue.url);
redis.on("error", () => {});
afterAll(async () => {
  redis.disconnect();
  await queue.remove();
});
const { database, service, context, app, addRecord } = await startWorld({ queueUrl: queue.url, rateLimits: "off" });
let code: string;

beforeEach(async () => {
  code = newCode();
  await database.insertLink(code);
});

async function visit(headers: Record<string, string>, path = `/l/${code}`, method = "GET") {
  const withAddress = { "x-forwarded-for": ADDRESS, ...LANGUAGE, ...headers };
  return app.inject({ method: method as "GET", url: path, headers: withAddress });
}

async function batches() {
  const entries = (await Promise.all(CLICK_STREAMS.map((each) => redis.xrange(each.batches, "-", "+")))).flat();
  const decoded = await Promise.all(entries.map(([, fields]) => decodeBatch(fields[1] ?? "")));
  return decoded.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

/** The counts of the link, summed over batches. */
async function counted(): Promise<{ counts: Record<string, number>; visitors: number }> {
  await context.clicks.flush();
  const counts: Record<string, number> = {};
  const visitors = new Set<number>();
  const links = (await batches()).flatMap((batch) => batch.links.filter(({ shortCode }) => shortCode === code));
  for (const link of links) {
    for (const [key, count] of Object.entries(link.counts)) counts[key] = (counts[key] ?? 0) + count;
    for (const visitor of link.visitors) visitors.add(visitor);
  }
  return { counts, visitors: visitors.size };
}

describe("a visit", () => {
  it("counts a person's visit once, with device, app, country, referrer and page", async () => {
    const referer = "https://www.Instagram.com/p/xyz?who=me";
    await visit({ "user-agent": IPHONE, ...GERMANY, referer });
    await visit({ "user-agent": DESKTOP, ...GERMANY });
    expect(await counted()).toEqual({
      counts: {
        p: 2,
        "d:ios": 1,
        "d:desktop": 1,
        "a:browser": 2,
        "c:DE": 2,
        "r:instagram.com": 1,
        "r:direct": 1,
        "o:page": 1,
      },
      visitors: 2,
    });
  });

  it("counts a visit that goes to another store with that store", async () => {
    const webUrl = "https://www.amazon.com/dp/B0ZZ1Y2X3W?tag=me-20";
    const channels = { 1: { tags: { de: "me-21" } } };
    code = await addRecord({ webUrl, soldIn: ["de"] }, { isRouted: true, channels });
    for (const agent of [IPHONE, DESKTOP, CRAWLER]) {
      await visit({ "user-agent": agent, ...GERMANY });
      await visit({ "user-agent": agent, "cf-ipcountry": "US" });
    }
    const { counts } = await counted();
    expect(counts).toMatchObject({ p: 4, v: 2, "s:de": 2 });
    expect(Object.keys(counts).filter((key) => key.startsWith("s:"))).toEqual(["s:de"]);
  });

  it("counts a visit of a fallback, or by a code without tag, as such instead of a store", async () => {
    const gone = { fallbackUrl: "https://www.amazon.fr/", isProductGone: true };
    code = await addRecord(gone, {});
    await visit({ "user-agent": IPHONE });
    expect((await counted()).counts).toMatchObject({ p: 1, "s:fallback": 1 });
    code = await addRecord({ ...gone, isUntagged: true }, {});
    await visit({ "user-agent": DESKTOP });
    const { counts } = await counted();
    expect(counts).toMatchObject({ p: 1, "s:untagged": 1 });
    expect(counts).not.toHaveProperty("s:fallback");
  });

  it("counts with the source that the link names, and without any other text", async () => {
    const queries = [
      "x=1&from=newsletter",
      "from=newsletter",
      "from=my-QR_7",
      "from=",
      "from=a.b",
      `from=${"x".repeat(51)}`,
    ];
    for (const query of queries) await visit({ "user-agent": IPHONE }, `/l/${code}?${query}`);
    const { counts } = await counted();
    const found = Object.entries(counts).filter(([key]) => key.startsWith("g:"));
    expect([counts.p, Object.fromEntries(found)]).toEqual([6, { "g:newsletter": 2, "g:my-QR_7": 1 }]);
  });

  it("counts a visit from an ad as such, and one with a program's name as that program's unless a referrer names another", async () => {
    const visits = [
      ["?gclid=Cj0&from=blog", ""],
      ["?utm_medium=paid&fbclid=IwAR", "https://m.facebook.com/"],
      ["?utm_source=perplexity", ""],
      ["?utm_source=Bluesky&utm_medium=social", ""],
      ["?utm_source=chatgpt.com", "https://blog.example/"],
      ["?from=timeline&isappinstalled=0", ""],
    ];
    for (const [query, referer = ""] of visits) await visit({ "user-agent": IPHONE, referer }, `/l/${code}${query}`);
    const found = Object.entries((await counted()).counts).filter(([key]) => /^[gr]:/.test(key));
    expect(Object.fromEntries(found)).toEqual({
      "r:direct": 2,
      "r:m.facebook.com": 1,
      "r:perplexity": 1,
      "r:bluesky": 1,
      "r:blog.example": 1,
      "g:blog": 1,
      "g:paid:ads": 2,
    });
  });

  it("counts each visit of the same person, as one visitor", async () => {
    for (let i = 0; i < 3; i++) await visit({ "user-agent": ANDROID });
    await visit({ "user-agent": ANDROID, "x-forwarded-for": "203.0.113.78" });
    const { counts, visitors } = await counted();
    expect([counts.p, visitors]).toEqual([4, 2]);
  });

  it.each([
    ["preview", { "user-agent": CRAWLER }, { v: 1, "n:v:facebookexternalhit": 1 }],
    ["bot", { "user-agent": "UptimeRobot/2.0" }, { b: 1, "n:b:UptimeRobot": 1 }],
    ["HTTP library", { "user-agent": "curl/8.5.0" }, { b: 1, "n:b:curl": 1 }],
    ["prefetch", { "user-agent": DESKTOP, "sec-purpose": "prefetch;prerender" }, { f: 1 }],
    [
      "assistant",
      { "user-agent": "Mozilla/5.0 (compatible; Claude-User/1.0)", referer: "https://claude.ai/" },
      { i: 1, "n:i:Claude-User": 1 },
    ],
    [
      "program with a browser's name, but without what the browser sends,",
      { "user-agent": DESKTOP, "accept-language": "", accept: "*/*" },
      { b: 1, "n:b:pretender": 1 },
    ],
    ["bot's prefetch", { "user-agent": "curl/8.5.0", purpose: "prefetch" }, { b: 1, "n:b:curl": 1 }],
  ])("counts a visit of a %s in its class only, with the name of the program", async (_name, headers, expected) => {
    await visit({ ...(headers as Record<string, string>), ...GERMANY });
    expect(await counted()).toEqual({ counts: expected, visitors: 0 });
  });

  it("counts no visit for HEAD, the return from an in-app browser, errors and Google's prefetch proxy", async () => {
    const person = { "user-agent": IPHONE };
    await visit(person, `/l/${code}`, "HEAD");
    await visit(person, `/l/${code}?tt_esc=1`);
    await visit(person, `/l/${newCode()}`);
    await visit({ "user-agent": ANDROID, "sec-purpose": "prefetch;anonymous-client-ip" });
    const expired = newCode();
    await database.insertLink(expired, { expires_at: new Date(0) });
    await visit(person, `/l/${expired}`);
    expect(await counted()).toEqual({ counts: {}, visitors: 0 });
  });

  it("leaves no address, agent or query in Redis or the log", async () => {
    const agent = `${DESKTOP} Secret/1`;
    const referer = "https://mail.example/inbox?user=secret-user";
    await visit({ "user-agent": agent, referer });
    await visit({ "user-agent": agent, referer: `http://${ADDRESS}/secret-path` });
    expect((await counted()).counts).toMatchObject({ "r:mail.example": 1, "r:other": 1 });
    const texts = [JSON.stringify(service.lines)];
    for (const key of await redis.keys("*")) {
      texts.push(key, String(await redis.dump(key).catch(() => "")));
    }
    texts.push(JSON.stringify(await batches()));
    for (const secret of [ADDRESS, "secret", "Secret", "Mozilla"]) expect(texts.join("\n")).not.toContain(secret);
  });
});

it("a page left on Android counts as opened for its link, and the outcome of its row names neither link nor visitor", async () => {
  const { outcomes, clicks } = context;
  const row = outcomeStrategy(BUILT_IN_OPENING_TABLE.version, "instagram-android", false);
  const report = { row, outcome: "unknown", proof: outcomes.proofs.create(code, row, Date.now()) };
  const { statusCode } = await app.inject({
    method: "POST",
    url: outcomePath(code),
    headers: { "user-agent": `${ANDROID} Instagram 379.1.0.44 Android`, "x-forwarded-for": ADDRESS },
    payload: JSON.stringify(report),
  });
  expect(statusCode).toBe(204);
  await clicks.flush();
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  const counts = { opened: 0, stayed: 0, unknown: 1 };
  expect((await counted()).counts).toEqual({ "o:opened": 1 });
  expect((await batches()).flatMap((batch) => batch.outcomes ?? [])).toEqual([
    { day, row: "instagram-android", app: "instagram", os: "android", ...counts },
  ]);
});

describe("the queue", () => {
  it("the queue gets one batch for all calls that wait for an earlier one", async () => {
    const { flush } = context.clicks;
    const calls = [flush(), flush(), flush()];
    expect(new Set(calls).size).toBe(1);
    await Promise.all(calls);
  });

  it("the queue gets what was counted while it was unavailable, once", async () => {
    await queue.kill();
    await visit({ "user-agent": DESKTOP });
    await context.clicks.flush();
    await visit({ "user-agent": DESKTOP });
    await queue.start();
    await expect.poll(async () => (await counted()).counts.p, { timeout: 30_000 }).toBe(2);
  });

  it("the queue gets the last batches again after a restart, with their ids", async () => {
    await visit({ "user-agent": DESKTOP });
    expect((await counted()).counts.p).toBe(1);
    await queue.kill();
    await queue.start();
    await expect.poll(async () => (await counted()).counts.p, { timeout: 30_000 }).toBe(2);
    const mine = (await batches()).filter((batch) => batch.links.some(({ shortCode }) => shortCode === code));
    expect(new Set(mine.map(({ id }) => id)).size).toBe(1);
  });

  it("the queue gets the clicks of a redirect that stops while the queue restarts", async () => {
    await queue.kill();
    await visit({ "user-agent": DESKTOP });
    const stopped = Promise.all(
      context.clicks.components.map((component) => component.name === "click sender" && component.stop?.()),
    );
    await queue.start();
    await stopped;
    const mine = (await batches()).flatMap(({ links }) => links.filter(({ shortCode }) => shortCode === code));
    expect(mine.map(({ counts }) => counts.p)).toEqual([1]);
  });
});
