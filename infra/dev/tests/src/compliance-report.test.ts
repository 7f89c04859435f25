import { request } from "node:http";
import { startUpstream } from "@tapthru/gateway/testing/upstream";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it } from "vitest";

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
}
type Mutation = (sent: Sent, path: string, agent: string) => Partial<Sent>;

/** Faults planted into the redirect. */
let mutation: Mutation = () => ({});

/** In the place of the gateway. */
const gateway = await startUpstream(async (incoming, response) => {
  const { url: path = "", method, headers } = incoming;
  if (!path.startsWith("/l/")) {
    incoming.pipe(
      request(api.url + path, { method, headers }, (reply) =>
        reply.pipe(response.writeHead(Number(reply.statusCode), reply.headers)),
      ),
    );
    return;
  }
  const { host: _, connection: __, ...passed } = headers;
  const upstream = await fetch(redirect.url + path, { redirect: "manual", headers: passed as Record<string, string> });
  const [{ status }, text] = [upstream, await upstream.text()];
  const sent: Sent = { status, headers: Object.fromEntries(upstream.headers), text };
  const changed = { ...sent, ...mutation(sent, path, String(headers["user-agent"])) };
  const { "content-length": ___, "content-encoding": ____, ...kept } = changed.headers;
  response.writeHead(changed.status, kept).end(changed.text);
});
const siteUrl = `http://${gateway.address}`;

const database = await createThrowawayDatabase();
// A database of its own: users have the same ids in several tests.
const redis = { REDIS_CACHE_URL: `${process.env.TEST_REDIS_URL}/3`, REDIS_QUEUE_URL: process.env.TEST_REDIS_URL };
const settings = { ...redis, PUBLIC_BASE_URL: siteUrl, RATE_LIMITS: "off" };
const api = await startService("api", { ...settings, DATABASE_URL: await database.urlAs("tapthru_api") });
const redirect = await startService("redirect", {
  ...settings,
  DATABASE_URL: await database.urlAs("tapthru_redirect"),
});
afterAll(async () => {
  await Promise.all([api.stop(), redirect.stop()]);
  gateway.stop();
  await database.drop();
});
const key = await createApiKey(siteUrl, database.url);
await database.rows(`
  WITH owner AS (UPDATE users SET shows_disclosure = true RETURNING id), link AS (
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, tag, asin, user_id, starts_at,
      canonical_url, fallback_url)
    SELECT code, page || '?tag=own-21', page || '?tag=own-21', 'x?product_id=x', 'de', 'own-21', asin, id, starts_at, page,
      'https://www.amazon.de/shop/ada'
    FROM owner, (VALUES ('answered', 'B0ZZ1Y2X3W', NULL), ('goneone', 'B0ZZ1Y2X3V', NULL), ('later', 'B0ZZ1Y2X3W',
      now() + interval '1 day')) AS each (code, asin, starts_at), concat('https://www.amazon.de/dp/', asin) AS page
    RETURNING id, short_code
  ), product AS (
    INSERT INTO products (canonical_url, marketplace, product_id, check_state)
    VALUES ('https://www.amazon.de/dp/B0ZZ1Y2X3V', 'de', 'B0ZZ1Y2X3V', 'product-gone')
  ) INSERT INTO link_codes (short_code, link_id, is_untagged)
  SELECT short_code || '-print', id, true FROM link WHERE short_code = 'answered'`);

async function brokenPromises(): Promise<string[]> {
  const response = await fetch(`${api.url}/api/compliance-report`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/html" },
  });
  const html = await response.text();
  expect([response.status, html.match(/<td>yes<\/td>|<td>NO<\/td>/g)?.length, html.includes("not seen")]).toEqual([
    200,
    8,
    false,
  ]);
  return [...html.matchAll(/<tr class="no"><td>(.*?)<\/td>/g)].map(([, promise = ""]) => promise.replace("&#39;", "'"));
}

it("the live redirect keeps all promises of the answer, and its requests are no visits", async () => {
  expect(await brokenPromises()).toEqual([]);
  const metrics = await (await fetch(`${redirect.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tapthru_redirects_total\{.*reply="app-page"/m);
  expect(metrics).not.toMatch(/^tapthru_clicks_total\{.*\} [1-9]/m);
});

const header =
  (name: string, value: (before: string) => string): Mutation =>
  ({ headers }) => ({
    headers: { ...headers, [name]: value(headers[name] ?? "") },
  });
const onlyIf =
  (isFor: (sent: Sent, path: string, agent: string) => boolean, change: Mutation): Mutation =>
  (...all) =>
    isFor(...all) ? change(...all) : {};
const text =
  (before: string | RegExp, after: string): Mutation =>
  (sent) => ({ text: sent.text.replaceAll(before, after) });
const isRedirect = ({ status }: Sent) => status === 302;
const isPage = ({ status }: Sent) => status === 200;
const isAssistant = (_: Sent, path: string, agent: string) => agent.includes("ChatGPT") && !path.includes("print");

it.each<[string, Mutation]>([
  ["Redirects are temporary and lead to a page of an Amazon store", onlyIf(isRedirect, () => ({ status: 301 }))],
  [
    "Redirects are temporary and lead to a page of an Amazon store",
    onlyIf(
      isRedirect,
      header("location", (url) => url.replace("www.amazon.de", "track.example")),
    ),
  ],
  ["Amazon learns which site the visitor came from", header("referrer-policy", () => "no-referrer")],
  [
    "Nothing is framed, and nothing can frame it",
    onlyIf(
      isPage,
      header("content-security-policy", (policy) => policy.replace("frame-ancestors 'none'; ", "")),
    ),
  ],
  ["Each page names Amazon", onlyIf((_, __, agent) => agent.startsWith("WhatsApp"), text(/Amazon|amazon\./g, "Shop"))],
  ["The page that opens the app says that its owner earns", onlyIf(isPage, text("I earn from", "you gain from"))],
  [
    "The owner's tag arrives unchanged",
    onlyIf(
      isRedirect,
      header("location", (url) => url.replace("own-21", "our-21")),
    ),
  ],
  [
    "Links for print and mail have no tag",
    onlyIf(
      (sent, path) => isRedirect(sent) && path.includes("print"),
      header("location", (url) => `${url}?tag=own-21`),
    ),
  ],
  [
    "Programs of assistants get no tag",
    onlyIf(
      isAssistant,
      header("location", (url) => `${url}?tag=own-21`),
    ),
  ],
])("a redirect that breaks '%s' turns exactly that line red", async (promise, change) => {
  mutation = change;
  expect(await brokenPromises()).toEqual([promise]);
});
