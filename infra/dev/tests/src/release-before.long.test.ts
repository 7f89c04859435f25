import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { redirectKey } from "@tapthru/proto/redirect/record";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { startService } from "@tapthru/stack/testing/service-process";
import { Redis } from "ioredis";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

const database = await createThrowawayDatabase();
const [shared, empty] = [await startRedis(), await startRedis()];
afterAll(async () => {
  await Promise.all([shared.remove(), empty.remove()]);
  await database.drop();
});

const git = (...args: string[]) => execFileSync("git", ["-C", CHECKOUT, ...args], { maxBuffer: 2 ** 30 });

/** The services of the newest tag; of HEAD, while there is none. They do not know the optional fields of records. */
async function checkOutReleaseBefore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-before-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [tag = "HEAD"] = git("tag", "--sort=-creatordate", "--merged=HEAD").toString().match(/\S+/) ?? [];
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", tag, "proto", "services", "package.json") });
  await symlink(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  for (const name of ["proto", "services/core", "services/redirect", "services/worker"]) {
    const modules = join(name, "node_modules");
    await cp(join(CHECKOUT, modules), join(folder, modules), { recursive: true, verbatimSymlinks: true });
  }
  const record = join(folder, "proto/src/redirect/record.ts");
  const source = await readFile(record, "utf8");
  await writeFile(record, source.replaceAll(/^ {2}\w+: z\.optional\(.*\n/gm, ""));
  return folder;
}

const AGENTS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Twitterbot/1.0",
  "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
];
const CODES = ["plain22", "starts2", "ended22", "tapped2", "browse2", "routed2", "print22", "gone222"];

async function responses(url: string): Promise<string[]> {
  const found: string[] = [];
  for (const code of CODES)
    for (const agent of AGENTS) {
      const headers = { "user-agent": agent, "cf-ipcountry": "FR" };
      const response = await fetch(`${url}/l/${code}`, { redirect: "manual", headers });
      // Pages contain random values.
      const text = (await response.text()).replaceAll(/[\w-]{16,}/g, "");
      found.push([code, agent, response.status, response.headers.get("location"), text].join("\n"));
    }
  return found;
}

it("each link opens as it should after a release that knows fewer fields has written its record, also while that one runs", async () => {
  await database.rows(`
    INSERT INTO users (id, username, email, firebase_uid, displayed_name, shows_disclosure)
    VALUES (1, 'ann', 'ann@x.test', 'ann', 'Ann', true);
    INSERT INTO routing_settings (user_id, is_on, fallback, assistants_get_tag) VALUES (1, true, 'original', true);
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, tag, asin, user_id, canonical_url, title,
      starts_at, expires_at, opening, fallback_url, taken_down_at)
    SELECT code, page || '?tag=own-21', page || '?tag=own-21', 'x?product_id=x', 'de', 'own-21', 'B0ZZ1Y2X3W', 1, page,
      code, starts_at, expires_at, opening, 'https://www.amazon.de/shop/ann', taken_down_at
    FROM concat('https://www.amazon.de/dp/B0ZZ1Y2X3W') AS page, (VALUES
      ('plain22', NULL::timestamptz, NULL::timestamptz, NULL, NULL::timestamptz),
      ('starts2', now() + interval '1 day', NULL, NULL, NULL), ('ended22', NULL, now() - interval '1 day', NULL, NULL),
      ('tapped2', NULL, NULL, 'tap', NULL), ('browse2', NULL, NULL, 'browser', NULL), ('routed2', NULL, NULL, NULL, NULL),
      ('gone222', NULL, NULL, NULL, now())) AS each (code, starts_at, expires_at, opening, taken_down_at);
    INSERT INTO link_codes (short_code, link_id, is_untagged) SELECT 'print22', id, true FROM links WHERE short_code = 'plain22';
    UPDATE links SET has_earlier_codes = true WHERE short_code = 'plain22';
    INSERT INTO link_changes (short_code, revision) SELECT code, 1 FROM unnest(ARRAY['${CODES.join("','")}']) AS code
  `);
  const start = async (service: "redirect" | "worker", redisUrl: string, checkout?: string) => {
    const [databaseUrl, redis] = [await database.urlAs(`tapthru_${service}`), { REDIS_CACHE_URL: redisUrl }];
    const settings = {
      ...redis,
      REDIS_QUEUE_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      PUBLIC_BASE_URL: "http://go.test",
    };
    const started = await startService(
      service,
      { ...settings, RATE_LIMITS: "off", COUNTRY_HEADER: "cf-ipcountry" },
      checkout,
    );
    onTestFinished(() => started.stop());
    return started;
  };
  const before = await checkOutReleaseBefore();
  await start("worker", shared.url, before);
  const redis = new Redis(shared.url);
  onTestFinished(() => redis.disconnect());
  await vi.waitFor(async () => expect(await redis.exists(CODES.map(redirectKey))).toBe(CODES.length), 60_000);
  const beside = await start("redirect", shared.url, before);
  const expected = await responses((await start("redirect", empty.url)).url);
  // It opens a link that has not started.
  expect(await responses(beside.url)).not.toEqual(expected);
  for (let upgrades = 0; upgrades < 2; upgrades++) {
    expect(await responses((await start("redirect", shared.url)).url)).toEqual(expected);
    await database.rows("UPDATE link_changes SET projected_at = NULL");
    await vi.waitFor(
      async () => expect(await database.rows("SELECT FROM link_changes WHERE projected_at IS NULL")).toEqual([]),
      60_000,
    );
  }
}, 300_000);
