import { createLink } from "@tapthru/proto/create-links";
import { changeProduct, previewProductChange } from "@tapthru/proto/product-links";
import { expect, it } from "vitest";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
const PRODUCTS = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" } as const;
const MUG = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

it("the links that a change of a product is about are counted, and the first ones shown with both addresses", async () => {
  const [ada, eve] = [await signUpUser(api), await signUpUser(api)];
  for (const user of [ada, eve])
    await user.call(createLink, { body: { url: `${MUG}?tag=${user.uid.slice(0, 5)}-21` } });
  for (let n = 0; n < 20; n++) await ada.call(createLink, { body: { url: `${MUG}?n=${n}` } });
  await ada.call(createLink, { body: { url: "https://www.amazon.fr/dp/B0ZZ1Y2X3W" } });
  const { count, links } = await ada.call(previewProductChange, { query: PRODUCTS });
  expect([count, links.length]).toEqual([21, 20]);
  for (const { webUrl, newUrl } of links) expect(newUrl).toBe(webUrl.replace(PRODUCTS.from, PRODUCTS.to));
  expect(await eve.call(previewProductChange, { query: { ...PRODUCTS, from: "B000000009" } })).toEqual({
    count: 0,
    links: [],
  });
});

it("a change and its undo are added for the relay, and recorded in the direction in which they change", async () => {
  const ada = await signUpUser(api);
  const { changedAt } = await ada.call(changeProduct, { body: PRODUCTS });
  await ada.call(changeProduct, { body: { ...PRODUCTS, undoOf: changedAt } });
  expect(await api.query(`SELECT payload FROM mass_changes WHERE kind = 'product' ORDER BY id`)).toEqual([
    { payload: { userId: ada.user.id, ...PRODUCTS } },
    { payload: { userId: ada.user.id, ...PRODUCTS, undoOf: changedAt } },
  ]);
  expect(
    await api.query(
      `SELECT object, before, after FROM audit_log WHERE owner_id = ${ada.user.id} AND action = 'links.changed' ORDER BY id`,
    ),
  ).toEqual([
    { object: "amazon.de", before: { product: PRODUCTS.from }, after: { product: PRODUCTS.to } },
    { object: "amazon.de", before: { product: PRODUCTS.to }, after: { product: PRODUCTS.from } },
  ]);
});
