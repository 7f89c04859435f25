import { exportAccount } from "@tapthru/proto/own-account";
import { expect, it } from "vitest";
import { addReport } from "../testing/test-earnings.ts";
import { addUserLinks } from "../testing/test-links.ts";
import { logIn } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
const PERIOD = ["2026-11-01", "2026-11-30"] as const;

it("the export is a file with the sessions and the clicks of each link by day", async () => {
  await addUserLinks(api, ada.user.id, 2);
  await logIn(api, ada);
  await api.query(`
    SELECT create_click_partitions('2026-11-01');
    INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3 4:2", "d:ios": "3", "o:opened": "3"}'
    FROM links WHERE short_code = 'u${ada.user.id}n2'
  `);
  const response = await ada.send(exportAccount);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="account.json"');
  const { links, sessions } = exportAccount.replies[200].parse(await response.json());
  expect(sessions).toHaveLength(2);
  const counts = { person: 3, "device ios": 1, opened: 1 };
  expect(links.map(({ shortCode, clicks }) => [shortCode, clicks])).toEqual([
    [`u${ada.user.id}n2`, [{ day: "2026-11-20", counts }]],
    [`u${ada.user.id}n1`, []],
  ]);
});

it("the export has each of many links, and of many sales, once", async () => {
  await addUserLinks(api, eve.user.id, 1_001);
  const sale = { day: "2026-11-03", tag: "me-21", asin: "B0AAAAAAAA", earnings: 100 };
  const others = Array.from({ length: 2_100 }, (_, n) => ({
    day: `2026-11-${String((n % 28) + 1).padStart(2, "0")}`,
    tag: `tag${n}-21`,
  }));
  await addReport(api, { userId: eve.user.id, period: PERIOD, sales: [sale, sale, ...others] });
  await addReport(api, { userId: ada.user.id, period: PERIOD, sales: [{ ...sale, earnings: 7 }] });
  const { links, earnings } = await eve.call(exportAccount);
  expect(new Set(links.map(({ id }) => id)).size).toBe(1_001);
  expect(new Set(earnings.map(({ tag }) => tag)).size).toBe(2_101);
  expect(earnings).toHaveLength(2_102);
  const expected = { ...sale, report: "earnings", currency: "EUR" };
  expect(earnings.filter(({ asin }) => asin !== "")).toMatchObject([expected, expected]);
});
