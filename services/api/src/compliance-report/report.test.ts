import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { createUntaggedCode, updateLink } from "@tapthru/proto/links";
import { afterAll, expect, it, vi } from "vitest";
import { POSTGRES_LIMITS, REPORT_LIMITS } from "../context.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let requests = 0;
const site = createServer((_request, response) => {
  requests++;
  response.end();
}).listen(0, "127.0.0.1");
await once(site, "listening");
afterAll(() => void site.close());
const siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
const api = await startApi({ PUBLIC_BASE_URL: siteUrl });
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

it("the file says what each channel got, which links have no tag, and when tags changed, without a visitor", async () => {
  const ada = await signUpUser(api);
  const { id } = await ada.call(createChannel, { body: { name: "Blog" } });
  for (const tag of ["blog-21", "other-21"]) {
    await ada.call(saveChannelTag, { params: { id: String(id) }, body: { marketplace: "de", tag } });
  }
  const { shortCode, id: linkId } = await ada.call(createLink, { body: { url: `${PAGE}?tag=a-21`, channelId: id } });
  await ada.call(updateLink, { params: { shortCode }, body: { url: `${PAGE}?tag=b-21` } });
  await ada.call(createUntaggedCode, { params: { shortCode } });
  await api.query(`INSERT INTO clicks (link_id, day, counts)
    VALUES (${linkId}, current_date - 1, '{"p": "4:7", "b": "4:2", "i": "4", "r:youtube.com": "4:6", "c:de": "4:7", "d:ios": "4:7"}')`);
  await api.query(
    `INSERT INTO domains (user_id, host, proof, verified_at) VALUES (${ada.user.id}, 'go.ada.example', 'p', now())`,
  );
  const response = await api.request("GET", "/api/compliance-report", { ...ada.browser, accept: "text/csv" });
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\r\n");
  const of = (section: string) =>
    lines.filter((line) => line.startsWith(section)).map((line) => line.slice(section.length + 1));
  expect(of("Domains")).toEqual(["localhost,Whose: this service's", "go.ada.example,Whose: the owner's"]);
  expect(of("Channels")[1]).toBe(
    "Blog,Tags: amazon.de other-21; People: 7; Previews: 0; Bots: 2; Assistants: 1; Sites that people came from: youtube.com 6",
  );
  expect(of("Links without a tag, for print and mail")).toHaveLength(0);
  expect(of('"Links without a tag, for print and mail"')).toEqual([
    `${siteUrl}/l/${shortCode}-print,Without the tag of: ${siteUrl}/l/${shortCode}`,
  ]);
  expect(of("Changes of tags").map((line) => line.replace(RegExp(TIME), "now"))).toEqual([
    '"Blog, amazon.de",Time: now; Before: blog-21; After: other-21',
    '"Blog, amazon.de",Time: now; Before: none; After: blog-21',
    `${shortCode},Time: now; Before: a-21; After: b-21`,
  ]);
});

it("neither kind of the file sends a request, nor reads sketches of visitors", async () => {
  const ada = await signUpUser(api);
  await ada.call(createLink, { body: { url: `${PAGE}?tag=a-21` } });
  const count = vi.spyOn(api.context.clickReader, "count");
  for (const accept of ["text/csv", "text/html"]) {
    expect((await api.request("GET", "/api/compliance-report", { ...ada.browser, accept })).status).toBe(200);
  }
  expect(requests).toBe(0);
  expect(count.mock.calls.map(([, , by, what]) => [by, what])).toEqual(
    Array(2).fill(["referrer", { hasVisitors: false }]),
  );
});

it("a wait for a connection and a statement end before the gateway gives up", () => {
  const conf = readFileSync(new URL(import.meta.resolve("../../../../infra/gateway/src/nginx/nginx.conf")), "utf8");
  const gatewayMs = 1_000 * Number(/proxy_read_timeout (\d+)s/.exec(conf)?.[1]);
  for (const { statementTimeoutMs, acquireTimeoutMs } of [REPORT_LIMITS, POSTGRES_LIMITS]) {
    expect(statementTimeoutMs + acquireTimeoutMs).toBeLessThan(gatewayMs);
  }
});
