import * as calls from "@tapthru/api-client";
import { createClient } from "@tapthru/api-client/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMULATOR_START_MS } from "./testing/test-accounts.ts";
import { startTestApi, type TestApi } from "./testing/test-api.ts";
import { product } from "./testing/test-links.ts";
import { signUpUser } from "./testing/test-user.ts";

const clientWith = (headers: Record<string, string>) =>
  createClient({
    baseUrl: api.url,
    headers: { ...headers, accept: "application/json, application/problem+json" },
  });
type Client = ReturnType<typeof clientWith>;

let api: TestApi;
let browser: Client;
let script: Client;
beforeAll(async () => {
  api = await startTestApi();
  browser = clientWith((await signUpUser(api)).browser);
  const { data } = await calls.createKey({
    client: browser,
    body: { name: "script", scopes: ["links:read", "links:write", "clicks:read"] },
  });
  script = clientWith({ authorization: `Bearer ${data?.key}` });
}, EMULATOR_START_MS);
afterAll(() => api.stop());

describe("the generated client with an API key", () => {
  it("creates, lists, edits and deletes a link", async () => {
    const { data: link } = await calls.createLink({
      client: script,
      body: { url: product, slug: "my-mug" },
    });
    expect(link?.shortUrl).toBe(`${api.publicBaseUrl}/l/my-mug`);

    const { data: edited } = await calls.updateLink({
      client: script,
      path: { idOrShortCode: "my-mug" },
      body: { nickname: "Mug" },
    });
    expect(edited?.nickname).toBe("Mug");

    const { data: links } = await calls.listLinks({ client: script, query: { q: "mug" } });
    expect(links).toEqual([edited]);

    const { data: deleted } = await calls.deleteLink({
      client: script,
      path: { idOrShortCode: String(link?.id) },
    });
    expect(deleted).toEqual({ id: link?.id, shortCode: "my-mug" });
  });

  it("gets the code of an error", async () => {
    const { error, response } = await calls.createLink({
      client: script,
      body: { url: "https://shop.example/mug" },
    });
    expect([response?.status, error]).toEqual([
      422,
      expect.objectContaining({ code: "not-an-amazon-link" }),
    ]);
  });

  it("creates many links, each with its result", async () => {
    const { data } = await calls.createLinks({
      client: script,
      body: { links: [{ url: product }, { url: "https://shop.example/mug" }] },
    });
    expect(data?.results.map(({ status }) => status)).toEqual([201, 422]);
  });

  it("counts clicks", async () => {
    const { data } = await calls.getClicks({ client: script, query: { by: "device" } });
    expect(data).toMatchObject({ timeZone: "UTC", totals: { person: 0 }, breakdown: [] });
  });

  it("previews an import", async () => {
    const { data } = await calls.createImport({
      client: script,
      body: "https://www.amazon.com/dp/B08N5WRWNW\n",
      query: { name: "links.csv" },
    });
    expect(data).toMatchObject({ format: "addresses", state: "ready", counts: { links: 1 } });
    const { data: imports } = await calls.listImports({ client: script });
    expect(imports?.map(({ id }) => id)).toEqual([data?.id]);
  });

  it("cannot manage keys, which a session can", async () => {
    expect((await calls.listKeys({ client: script })).response?.status).toBe(403);
    const { data: keys } = await calls.listKeys({ client: browser });
    expect(keys?.map(({ name }) => name)).toEqual(["script"]);
    await calls.revokeKey({ client: browser, path: { id: String(keys?.[0]?.id) } });
    expect((await calls.listLinks({ client: script })).response?.status).toBe(401);
  });
});
