import { listLinksEarnings } from "@tapthru/proto/earnings";
import { beforeAll, expect, it } from "vitest";
import { addReport } from "../testing/test-earnings.ts";
import { createLink, listLinksOf } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const ASINS = ["B0AAAAAAAA", "B0BBBBBBBB", "B0CCCCCCCC"] as const;

const { api, ada: owner } = await startWorld();
const codes: string[] = [];
beforeAll(async () => {
  for (const asin of ASINS) {
    codes.push(await createLink(api, owner.browser, `https://www.amazon.de/dp/${asin}?tag=me-21`));
  }
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
  const [first, second] = ASINS;
  const sales = [
    { day, tag: "me-21", asin: first, earnings: 120 },
    { day, tag: "me-21", asin: second, earnings: 950 },
  ];
  await addReport(api, { userId: owner.user.id, period: [day, day], sales });
});

it("what links earned in the last 30 days is read for some links at once", async () => {
  const [first, second, third] = codes;
  const path = `/api/earnings/links?codes=${[third, first].join()}`;
  const response = await api.request("GET", path, owner.browser);
  const earned = listLinksEarnings.replies[200].parse(await response.json());
  expect(earned).toEqual([{ shortCode: first, earnings: 120, currency: "EUR" }]);
  expect((await api.request("GET", `/api/earnings/links?codes=${second}`)).status).toBe(401);
});

it.each([200, 1])("the list by earnings has the largest first, then the others, in pages of %i", async (limit) => {
  const listed = (await listLinksOf(api, owner, `sort=earnings&limit=${limit}`)).map(({ shortCode }) => shortCode);
  const [first, second, third] = codes;
  expect(listed).toEqual([second, first, third]);
});
