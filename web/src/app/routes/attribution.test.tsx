import { getAttribution } from "@tapthru/proto/amazon-ads";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { choose, link, rowsOf } from "../../testing/controls.ts";
import { exampleOf, like } from "../../testing/examples.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";

const EXAMPLE = exampleOf(getAttribution);
const row = like(EXAMPLE.rows[0], {});
const READ = { state: "read", readAt: "2026-11-21T08:00:00.000Z" } as const;

async function open({ connection = READ, rows = [] }: Partial<typeof EXAMPLE>) {
  const requests = serve("GET /api/amazon-ads/attribution", () => ({ connection, rows }));
  await renderPages("/earnings/attribution");
  return requests;
}

test("campaigns have a row for each currency, and links one for each ad group", async () => {
  const requests = await open({
    rows: [
      row({ adGroupId: null, links: [] }),
      row({ adGroupId: null, links: [], currency: "JPY", sales: 4_200, advertiser: "Lamps in Japan" }),
      row({ clicks: 1_200, links: [{ shortCode: "mugcode", name: "My mug" }] }),
    ],
  });
  expect(await rowsOf("Figures by campaign", "|")).toEqual([
    "Campaign|Sales|Purchases|Clicks|Detail pages|Carts",
    "autumn-newsletterLamps and More|€199.60|8|120|96|21",
    "autumn-newsletterLamps in Japan|¥4,200|8|120|96|21",
  ]);
  expect((await rowsOf("Figures by link", "|"))[1]).toBe("My mugautumn-newsletter, header|€199.60|8|1,200|96|21");
  expect((await link("My mug")).getAttribute("href")).toBe("/link/mugcode");
  expect(screen.getByText(/Last read Nov 21, 2026/)).toBeTruthy();
  await choose("Period", "7 days");
  await expect.poll(() => requests.length).toBe(2);
});

test.each([
  [null, /^Amazon Ads is not connected/],
  [{ state: "waiting", readAt: null }, /^Amazon Attribution has not been read yet/],
  [{ state: "no-attribution", readAt: null }, /has no Amazon Attribution, so there is nothing/],
  [{ state: "revoked", readAt: null }, /^Amazon says that the permission was withdrawn/],
] as const)("without figures the page says why: %j", async (connection, text) => {
  await open({ connection });
  expect(await screen.findByText(text)).toBeTruthy();
  expect((await link(connection ? "Your connection" : "Connect Amazon Ads")).getAttribute("href")).toBe(
    "/amazon-ads-auth",
  );
  expect(screen.getByText("No campaign has figures in these days.")).toBeTruthy();
});
