import { GeneratedLink } from "@tapthru/proto/generate";
import { displayName } from "@tapthru/proto/rules/display-name";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, listLinksOf } from "../testing/test-links.ts";
import { withCookies } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: owner } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

const patch = (shortCode: string, body: unknown) =>
  api.request("PATCH", `/api/links/${shortCode}`, owner.browser, body);

let products = 0;

/** Creates a link to a page of its own. @returns its short code */
async function createNamed(nickname: string | null, user = owner): Promise<string> {
  products += 1;
  const asin = `B${String(products).padStart(9, "0")}`;
  const shortCode = await createLink(api, user.browser, `https://www.amazon.de/dp/${asin}?tag=me-21`);
  if (nickname !== null) await patch(shortCode, { nickname });
  return shortCode;
}

const list = (query = "") => listLinksOf(api, owner, query);
const names = async (query: string) => (await list(query)).map((link) => displayName(link, "localhost:8080"));

describe("the order by name", () => {
  it("is that of letters in any script and of numbers, across pages", async () => {
    const sorted = ["äpfel", "Birne", "Lamp 2", "lamp 10", "Öl ~ & + 100%", "Zebra", "лампа", "灯"];
    for (const name of sorted.toReversed()) await createNamed(name);
    for (const limit of [200, 3, 1]) {
      expect(await names(`sort=name&limit=${limit}`)).toEqual(sorted);
    }
  });

  it("follows the displayed name: nickname, title, product title, title of the page, product id", async () => {
    const [nicknamed, titled, product] = [
      await createNamed("3 nickname"),
      await createNamed(null),
      await createNamed(null),
    ];
    await createNamed(null);
    await createLink(api, owner.browser, "https://www.amazon.de/shop/me?tag=me-21");
    await createLink(api, owner.browser, "https://www.amazon.de/s?k=lamp");
    await patch(nicknamed, { title: "0 hidden by the nickname" });
    await patch(titled, { title: "2 title" });
    const { canonical_url: page } = (
      await api.query(`SELECT canonical_url FROM links WHERE short_code = '${product}'`)
    )[0] as { canonical_url: string };
    // As the worker does.
    await api.query(`
      UPDATE products SET title = '1 product title', revision = 1 WHERE canonical_url = '${page}';
      UPDATE links SET product_revision = 1 WHERE canonical_url = '${page}'
    `);
    const shown = await names("sort=name");
    expect(shown).toEqual([
      "1 product title",
      "2 title",
      "3 nickname",
      "Amazon Product",
      expect.stringMatching(/^Amazon Product: B0/),
      "Search: lamp",
    ]);
    const stored = await api.query("SELECT sort_name FROM links ORDER BY sort_name");
    expect(stored.map((row) => row.sort_name)).toEqual(shown);
  });

  it("contains a link that was claimed", async () => {
    const url = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const generated = await api.post("/api/generate", { url });
    const { shortCode } = GeneratedLink.parse(await generated.json());
    const browser = withCookies(owner.browser, generated);
    await api.request("PATCH", `/api/links/${shortCode}`, browser, { userId: owner.user.id });
    expect(await names("sort=name")).toEqual(["Amazon Product: B0ZZ1Y2X3W"]);
  });
});
