import { glob, readFile } from "node:fs/promises";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { WAIT } from "./testing/three-services.ts";

const DESKTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const GONE = "https://www.amazon.de/dp/B0ZZ1Y2X3V";
const FALLBACK = "https://www.amazon.de/shop/ada";
const MAIN = "?tag=main-21";

interface TestLink {
  /** Its own address. */
  url: string;
  /** The address that visitors open, or null. */
  opens: string | null;
  columns?: string;
}

/** Their codes are `link1`, `link2` … in this order. Each has a code without tag, such as `link1-plain`. */
const LINKS = {
  "with a tag of its own": { url: `${PAGE}?tag=own-21`, opens: `${PAGE}?tag=own-21` },
  "with the tag of its channel": {
    url: PAGE + MAIN,
    opens: PAGE + MAIN,
    columns: "follows_channel = true, web_url = with_tag(web_url, ''), original_url = with_tag(original_url, '')",
  },
  "that opens in the browser": { url: PAGE + MAIN, opens: PAGE + MAIN, columns: "opening = 'browser'" },
  "that has expired, with a fallback": {
    url: PAGE + MAIN,
    opens: FALLBACK + MAIN,
    columns: `expires_at = now(), fallback_url = '${FALLBACK}'`,
  },
  "that has expired": { url: PAGE + MAIN, opens: null, columns: "expires_at = now()" },
  "that has not started, with a fallback": {
    url: PAGE + MAIN,
    opens: FALLBACK + MAIN,
    columns: `starts_at = now() + interval '1 day', fallback_url = '${FALLBACK}'`,
  },
  "that has not started": { url: PAGE + MAIN, opens: null, columns: "starts_at = now() + interval '1 day'" },
  "that has started": { url: PAGE + MAIN, opens: PAGE + MAIN, columns: "starts_at = now()" },
  "of a product that is gone, with a fallback": {
    url: GONE + MAIN,
    opens: FALLBACK + MAIN,
    columns: `fallback_url = '${FALLBACK}'`,
  },
  "of a product that is gone": { url: GONE + MAIN, opens: GONE + MAIN },
  "that was taken down": { url: PAGE + MAIN, opens: null, columns: "taken_down_at = now()" },
  "that opens the store of the visitor's country": {
    url: PAGE + MAIN,
    opens: PAGE + MAIN,
    columns: "routing = true",
  },
} satisfies Record<string, TestLink>;
const NAMES = Object.keys(LINKS) as (keyof typeof LINKS)[];
const codeOf = (name: keyof typeof LINKS) => `link${NAMES.indexOf(name) + 1}`;
const untagged = (address: string | null) => address?.replace(/[?]tag=.*/, "") ?? null;

const database = await createThrowawayDatabase();
// A database of its own: users have the same ids in several tests.
const redis = { REDIS_CACHE_URL: `${process.env.TEST_REDIS_URL}/4`, REDIS_QUEUE_URL: process.env.TEST_REDIS_URL };
const settings = { ...redis, COUNTRY_HEADER: "cloudflare", TRUSTED_PROXIES: "loopback" };
const api = await startService("api", { ...settings, DATABASE_URL: await database.urlAs("tapthru_api") });
const redirect = await startService("redirect", {
  ...settings,
  DATABASE_URL: await database.urlAs("tapthru_redirect"),
});
afterAll(async () => {
  await Promise.all([api.stop(), redirect.stop()]);
  await database.drop();
});
const key = await createApiKey(api.url, database.url);
await addLinks();

async function addLinks(): Promise<void> {
  const [user] = await database.rows("SELECT max(id) AS id FROM users");
  const values = NAMES.map((name) => `('${codeOf(name)}', '${LINKS[name].url}')`).join();
  await database.rows(`
    WITH product AS (
      INSERT INTO products (canonical_url, marketplace, product_id, check_state)
      VALUES ('${GONE}', 'de', 'B0ZZ1Y2X3V', 'product-gone'), ('${PAGE}', 'de', 'B0ZZ1Y2X3W', 'ok')
    ), sold AS (
      INSERT INTO product_stores (asin, store, sold, source, checked_at) VALUES ('B0ZZ1Y2X3W', 'fr', true, 'page', now())
    )
    INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT channel.id, ${user?.id}, store, tag
    FROM channels AS channel, (VALUES ('de', 'main-21'), ('fr', 'fr-21')) AS each (store, tag)
    WHERE user_id = ${user?.id}`);
  await database.rows(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, canonical_url, user_id, channel_id)
    SELECT code, url, url, 'https://t.example/redirect?product_id=B0ZZ1Y2X3W&original_url=' || replace(replace(url, '?', '%3F'), '=', '%3D'),
      'de', split_part(url, '?', 1), ${user?.id}, default_channel(${user?.id})
    FROM (VALUES ${values}) AS each (code, url)`);
  for (const name of NAMES) {
    const { columns = "title = 'A mug'" }: TestLink = LINKS[name];
    await database.rows(`UPDATE links SET ${columns} WHERE short_code = '${codeOf(name)}'`);
  }
  await database.rows(`
    INSERT INTO link_codes (short_code, link_id, is_untagged) SELECT short_code || '-plain', id, true FROM links`);
}

/** All addresses of a store that a response may open, each once. */
async function addressesIn(response: Response): Promise<string | null> {
  const location = response.headers.get("location");
  if (location !== null) return location;
  const body = (await response.text()).replaceAll("&amp;", "&");
  const found = [...body.matchAll(/ href="https?:([^"]*)"/g)].map(([, rest]) => `https:${rest}`);
  const unique = [...new Set(found.filter((address) => address.includes("amazon.")))];
  return unique.length === 0 ? null : unique.join(" ");
}

/** While the machine is busy, a look-up may take too long for the redirect. */
const open = (path: string, agent = DESKTOP, headers = {}) =>
  vi.waitFor(async () => {
    const response = await fetch(redirect.url + path, {
      redirect: "manual",
      headers: { "user-agent": agent, ...headers },
    });
    expect(response.status).not.toBe(503);
    return addressesIn(response);
  }, WAIT);

const read = async (path: string) =>
  (await fetch(api.url + path, { headers: { authorization: `Bearer ${key}`, "x-api-key": key } })).json();
let file: Promise<string> | undefined;
/** Read once, because downloads are limited. */
function redirects(): Promise<string> {
  file ??= fetch(`${api.url}/api/export?format=redirects`, { headers: { authorization: `Bearer ${key}` } }).then(
    (response) => response.text(),
  );
  return file;
}

/** The addresses that a visitor of a code opens, on each way to it. */
const VISITS = {
  redirect: (code: string) => open(`/l/${code}`),
  "page that opens the app": (code: string) => open(`/l/${code}`, IPHONE),
  "preview card": (code: string) => open(`/l/${code}`, "facebookexternalhit/1.1"),
  _redirects: async (code: string) => RegExp(`^/l/${code} (.*) 302$`, "m").exec(await redirects())?.[1] ?? null,
};

const Reply = z.object({ webUrl: z.string(), deepLink: z.string() });
const targetOf = (deepLink: string) => redirectTarget(new URL(deepLink).searchParams)?.webUrl ?? null;

/** The address that the owner chose and reads, whatever opens in its place. */
const READS = {
  "link of the api": async (code: string) => z.parse(Reply, await read(`/api/links/${code}`)).webUrl,
  "deep link": async (code: string) => targetOf(z.parse(Reply, await read(`/api/links/${code}`)).deepLink),
  Shlink: async (code: string) =>
    z.parse(z.object({ longUrl: z.string() }), await read(`/rest/v3/short-urls/${code}`)).longUrl,
  webhook: async (code: string) => {
    const [row] = await database.rows(
      `SELECT link_event_data(links) ->> 'webUrl' AS url FROM links WHERE short_code = '${code}'`,
    );
    return String(row?.url);
  },
};
type Path = keyof typeof VISITS | keyof typeof READS;

const CHANGES = "stores what the owner chose, and is read back by `link-reply.ts`";
const NAME = "shows the owner what a link is called";

/**
 * All files that read the stored address of a link, or change a tag: the ways that they serve, or why they serve none. Emails, QR codes
 * and chat messages cannot differ: they contain the short link. Tools of assistants return the replies of the api, and webhooks what
 * `link_event_data` in Postgres reads, the owner's address.
 */
const READERS: Record<string, readonly Path[] | string> = {
  "api/src/resources/abuse-reports.ts": "tells webhooks what the owner chose",
  "api/src/compliance-report/report.ts": "says how tags changed",
  "api/src/compliance-report/reported-links.ts": "compares tags with Amazon's rules",
  "api/src/domains/domains.ts": CHANGES,
  "api/src/domains/queries.ts": "shows the owner what the link at / of a domain leads to",
  "api/src/earnings/link-names.ts": NAME,
  "api/src/links/change-link.ts": CHANGES,
  "api/src/links/change-tags.ts": CHANGES,
  "api/src/links/create-links.ts": CHANGES,
  "api/src/links/known-links.ts": "finds the links that new ones would repeat",
  "api/src/links/link-conditions.ts": "searches",
  "api/src/links/link-domains.ts": "reads the tags of channels for new links",
  "api/src/links/link-history.ts": "shows the owner earlier addresses",
  "api/src/links/link-reply.ts": ["link of the api", "deep link", "Shlink"],
  "api/src/links/link-row.ts": ["link of the api"],
  "api/src/links/links.ts": "asks whether the page opens without a tag",
  "api/src/operator/links.ts": "shows operators what the owner chose",
  "api/src/operator/abuse-reports.ts": "shows operators what the owner chose",
  "api/src/resources/own-account.ts": "exports what is stored of deleted links",
  "api/src/resources/routing.ts": "says to which stores visitors are sent",
  "core/src/events.ts": "shows the owner what changed",
  "core/src/links/change-destinations.ts": CHANGES,
  "core/src/links/channel-tags.ts": CHANGES,
  "core/src/links/insert-links.ts": CHANGES,
  "core/src/links/link-addresses.ts": CHANGES,
  "core/src/links/links-to-address.ts": "finds the links that a new one would repeat",
  "core/src/links/plan-link.ts": CHANGES,
  "core/src/links/redirect-file.ts": ["_redirects"],
  "redirect/src/choose-destination.ts": ["redirect", "page that opens the app", "preview card"],
  "redirect/src/link.ts": ["redirect", "page that opens the app", "preview card"],
  "redirect/src/resolve/read-postgres.ts": ["redirect", "page that opens the app", "preview card"],
  "worker/src/jobs/send-weekly-emails.ts": NAME,
  "worker/src/jobs/update-link-health.ts": "compares tags with those of the owner",
  "worker/src/relay/bulk-update-kinds.ts": CHANGES,
  "worker/src/relay/project-records.ts": ["redirect"],
};

const READS_ADDRESS =
  /\b(?:web_url|original_url|deep_link|redirect_records?|link_(?:tag|url))\b|rules\/amazon\/(?:remove|set|add)-tag"|routing\/route-visit"|(?:linkAddress|linkFallback|openedPage)\(|\/(?:channel-tags|link-addresses)(?:[.]ts)?"/;

it("each file that reads the address of a link, or changes a tag, is in the list", async () => {
  const all: string[] = [];
  for await (const file of glob("*/src/**/*.ts", { cwd: `${CHECKOUT}/services` })) all.push(file);
  const files = all.filter((file) => !/[.]test[.]ts$|\/testing\//.test(file));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(`${CHECKOUT}/services/${file}`, "utf8")]),
  );
  const found = texts.filter(([, text = ""]) => READS_ADDRESS.test(text)).map(([file]) => file);
  expect(found.sort()).toEqual(Object.keys(READERS).sort());
});

describe.each(NAMES)("a link %s", (name) => {
  const { url, opens }: TestLink = LINKS[name];
  const code = codeOf(name);

  it.each(Object.entries(VISITS))("leads to the same address by %s", async (_path, visit) => {
    expect(await visit(code)).toBe(opens);
  });

  it.each(Object.entries(VISITS))("leads there without the tag by %s of its code without tag", async (_path, visit) => {
    expect(await visit(`${code}-plain`)).toBe(untagged(opens));
  });

  it("leads assistants there without the tag", async () => {
    expect(await open(`/l/${code}`, "ChatGPT-User/1.0")).toBe(untagged(opens));
  });

  it.each(Object.entries(READS))("is read with the owner's address by %s", async (_path, path) => {
    expect(await path(code)).toBe(url);
  });
});

it("a link that follows the visitor's country has the channel's tag there, and none by that code", async () => {
  const code = codeOf("that opens the store of the visitor's country");
  const french = { "cf-ipcountry": "FR" };
  const page = PAGE.replace(".de", ".fr");
  expect(await open(`/l/${code}`, DESKTOP, french)).toBe(`${page}?tag=fr-21`);
  expect(await open(`/l/${code}-plain`, DESKTOP, french)).toBe(page);
});
