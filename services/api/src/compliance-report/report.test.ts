import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { createUntaggedCode, updateLink } from "@tapthru/proto/links";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const site = createServer().listen(0, "127.0.0.1");
await once(site, "listening");
afterAll(() => void site.close());
const release = () => site.closeAllConnections();
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
  const answering = api.request("GET", "/api/compliance-report", { ...ada.browser, accept: "text/csv" });
  await once(site, "request");
  release();
  const response = await answering;
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\r\n");
  const of = (section: string) =>
    lines.filter((line) => line.startsWith(section)).map((line) => line.slice(section.length + 1));
  expect(of("What visitors get")[0]).toMatch(/,Kept: not seen; /);
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

it("answers that wait for the public address take no turn of their user's other requests, and none of the process", async () => {
  const own = await startRedis();
  onTestFinished(() => own.remove());
  const limited = await startApi({ PUBLIC_BASE_URL: siteUrl, REDIS_CACHE_URL: own.url, RATE_LIMITS: "on" });
  const ada = await signUpUser(limited);
  await ada.call(createLink, { body: { url: `${PAGE}?tag=a-21` } });
  let waiting = 0;
  const count = () => void waiting++;
  site.on("request", count);
  const answers = Array.from({ length: 5 }, () =>
    limited.request("GET", "/api/compliance-report", { ...ada.browser, accept: "text/html" }),
  );
  await eventually(() => expect(waiting).toBe(5 * 12));
  for (let read = 0; read < 5; read++)
    expect((await limited.request("GET", "/api/links", ada.browser)).status).toBe(200);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  site.off("request", count);
});

it.each([1, 3])("all visits end at one deadline, which passes at link %s of 3", async (last) => {
  const ada = await signUpUser(api);
  for (const host of ["a", "b", "c"]) {
    const { id } = await ada.call(createLink, { body: { url: `${PAGE}?tag=a-21` } });
    await api.query(`UPDATE links SET short_code = short_code || '@${host}.example' WHERE id = ${id}`);
  }
  const deadline = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(deadline.signal);
  const visited = new Set<string>();
  const respond = ({ headers: { host = "" } }: IncomingMessage, response: ServerResponse) => {
    visited.add(host);
    if (visited.size < last) response.end();
    else setImmediate(() => deadline.abort());
  };
  site.on("request", respond);
  const answer = await api.request("GET", "/api/compliance-report", { ...ada.browser, accept: "text/html" });
  expect([answer.status, visited.size, timeout.mock.calls.length]).toEqual([200, last, 1]);
  // The site's responses are empty pages.
  expect((await answer.text()).includes('<tr class="no"><td>Each page names Amazon</td>')).toBe(last > 1);
  site.off("request", respond);
  timeout.mockRestore();
});
