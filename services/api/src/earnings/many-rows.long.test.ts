import { EarningsTable, LinkEarnings } from "@tapthru/proto/earnings";
import { EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { expect, it } from "vitest";
import { addReport } from "../testing/test-earnings.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const DAYS = "from=2026-11-01&to=2026-11-30";

const api = await startApi({}, { productionLimits: true });

async function addUser(rowCount: number) {
  const ada = await signUpUser(api);
  await api.query(`
    INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id)
    SELECT 'mug' || ${ada.user.id}, url, url, 'de', 'tag1-21', 'B000000001',
      'http://t.example/redirect?product_id=x', ${ada.user.id}
    FROM (VALUES ('https://www.amazon.de/dp/B000000001?tag=tag1-21')) AS page (url)
  `);
  await addReport(api, { userId: ada.user.id, period: ["2026-11-01", "2026-11-30"], sales: [] });
  await api.query(`UPDATE earnings_reports SET row_count = ${rowCount} WHERE user_id = ${ada.user.id}`);
  await api.query(`
    INSERT INTO earnings_rows
    SELECT report.id, date '2026-11-01' + n % 30, 'tag' || n % 10 || '-21', 'B' || lpad((n % 9973)::text, 9, '0'),
      true, 1, 10, NULL, 1, 0
    FROM earnings_reports AS report, generate_series(1, ${rowCount}) AS n WHERE user_id = ${ada.user.id}
  `);
  return ada;
}

it("figures of a million rows are read with the limits of production, and those of a small user beside them", async () => {
  const counts = [EARNINGS_ROWS_MAX_COUNT, 300_000, 3_000];
  const users = [];
  for (const count of counts) users.push({ count, ...(await addUser(count)) });
  await api.query("ANALYZE");
  for (const { count, user, browser } of users) {
    for (const by of ["link", "product", "day"]) {
      const response = await api.request("GET", `/api/earnings?${DAYS}&by=${by}`, browser);
      expect(response.status).toBe(200);
      expect(EarningsTable.parse(await response.json()).totals.earnings).toBe(count);
    }
    const response = await api.request("GET", `/api/links/mug${user.id}/earnings?${DAYS}`, browser);
    expect(LinkEarnings.parse(await response.json()).earnings).toBeGreaterThan(0);
  }
}, 600_000);
