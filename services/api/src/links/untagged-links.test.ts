import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLink, createLinks } from "@tapthru/proto/create-links";
import { updateDomain } from "@tapthru/proto/domains";
import { generate } from "@tapthru/proto/generate";
import { saveStoreTag } from "@tapthru/proto/stores";
import { beforeEach, expect, it } from "vitest";
import { addWorkingDomain } from "../testing/test-domains.ts";
import { addKey } from "../testing/test-keys.ts";
import { connectMcp } from "../testing/test-mcp.ts";
import { startWorld } from "../testing/world.ts";

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const { api, ada } = await startWorld({ TLS: "on" });
const { key, script } = await addKey(api, ada);
await ada.call(saveStoreTag, { body: { marketplace: "de", tag: "main-21" } });
beforeEach(() => api.query("TRUNCATE all_links, link_codes, domains CASCADE"));

type Choice = { usesChannelTag?: boolean };
/** `never`, `always`: its callers cannot say. */
type Way = [name: string, says: "choice" | "never" | "always", create: (choice: Choice) => Promise<unknown>];

const WAYS: Record<string, Way[]> = {
  "links/new-links.ts": [
    ["POST /api/generate", "choice", (choice) => ada.call(generate, { body: { url: PAGE, ...choice } })],
    ["POST /api/links", "choice", (choice) => ada.call(createLink, { body: { url: PAGE, ...choice } })],
    [
      "POST /api/links/bulk",
      "choice",
      (choice) => ada.call(createLinks, { body: { links: [{ url: PAGE, ...choice }] } }),
    ],
  ],
  "mcp/tools.ts": [
    [
      "create_link of MCP",
      "choice",
      async (choice) => {
        const mcp = await connectMcp(api, script);
        await mcp.call("create_link", { url: PAGE, ...choice });
        await mcp.client.close();
      },
    ],
  ],
  "resources/shlink.ts": [
    [
      "POST /rest/v3/short-urls",
      "always",
      () => api.request("POST", "/rest/v3/short-urls", { "x-api-key": key }, { longUrl: PAGE }),
    ],
  ],
  "domains/domains.ts": [
    [
      "the page of a domain",
      "never",
      async () => {
        const host = await addWorkingDomain(api, ada);
        await ada.call(updateDomain, { params: { host }, body: { rootUrl: PAGE } });
      },
    ],
  ],
};

it("the ways to create links name each file that creates them", async () => {
  const found: string[] = [];
  const cwd = join(import.meta.dirname, "..");
  const exclude = ["**/*.test.ts", "testing/**", "links/create-links.ts"];
  for await (const path of glob("**/*.ts", { cwd, exclude })) {
    if (/\bcreate(?:RequestedLinks?|Links)\(/.test(await readFile(join(cwd, path), "utf8"))) found.push(path);
  }
  expect(found.sort()).toEqual(Object.keys(WAYS).sort());
});

const rows = Object.values(WAYS)
  .flat()
  .flatMap(([name, says, create]) =>
    (says === "choice" ? [undefined, false, true] : [undefined]).map((usesChannelTag) => {
      const choice = usesChannelTag === undefined ? {} : { usesChannelTag };
      return { name, choice, create, isTagged: says === "always" || usesChannelTag === true };
    }),
  );

it.each(rows)("$name $choice gives a link without a tag the saved one: $isTagged", async (row) => {
  await row.create(row.choice);
  expect(await api.query("SELECT link_url(links, web_url) AS url, follows_channel FROM links")).toEqual([
    { url: row.isTagged ? `${PAGE}?tag=main-21` : PAGE, follows_channel: row.isTagged },
  ]);
});
