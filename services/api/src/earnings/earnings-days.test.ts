import { beforeEach, expect, it } from "vitest";
import { addReport, type TestReport } from "../testing/test-earnings.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
const userId = (await signUpUser(api)).user.id;
const otherId = (await signUpUser(api)).user.id;
beforeEach(async () => {
  await api.query("TRUNCATE earnings_imports CASCADE");
});

const add = (first: string, last: string, report: Partial<TestReport> = {}) =>
  addReport(api, { userId, period: [`2026-11-${first}`, `2026-11-${last}`], sales: [], ...report });
const days = async () =>
  (await api.query("SELECT days::text FROM earnings_reports ORDER BY id")).map((row) => row.days);
const remove = async (id: string) => {
  await api.query(`DELETE FROM earnings_imports WHERE id = '${id}'`);
  await api.query(`SELECT calculate_earnings_days(${userId}, 'de', '', 'earnings')`);
};

it("the days of a report are those of its period that no later report has", async () => {
  await add("01", "30");
  await add("10", "12");
  await add("12", "20");
  expect(await days()).toEqual([
    "{[2026-11-01,2026-11-10),[2026-11-21,2026-12-01)}",
    "{[2026-11-10,2026-11-12)}",
    "{[2026-11-12,2026-11-21)}",
  ]);
});

it("removing an import gives its days back", async () => {
  await add("01", "30");
  const last = await add("10", "12");
  await remove(last);
  expect(await days()).toEqual(["{[2026-11-01,2026-12-01)}"]);
});

it("a second import of the same report replaces the first one", async () => {
  await add("01", "30");
  await add("01", "30");
  expect(await days()).toEqual(["{}", "{[2026-11-01,2026-12-01)}"]);
});

it("reports of other stores, accounts, kinds and users replace none", async () => {
  await add("01", "30");
  await add("01", "30", { marketplace: "fr" });
  await add("01", "30", { storeId: "second-21" });
  await add("01", "30", { kind: "orders" });
  await add("01", "30", { userId: otherId });
  expect(new Set(await days())).toEqual(new Set(["{[2026-11-01,2026-12-01)}"]));
});

it("reports of imports that are not stored have none", async () => {
  await add("01", "30");
  await api.query(`
    WITH import AS (
      INSERT INTO earnings_imports (user_id, state) VALUES (${userId}, 'ready') RETURNING id
    )
    INSERT INTO earnings_reports (import_id, user_id, marketplace, store_id, file_name, kind, first_day,
      last_day, currency, row_count, sums)
    SELECT id, ${userId}, 'de', '', 'f', 'earnings', '2026-11-01', '2026-11-30', 'EUR', 0, '{}' FROM import
  `);
  await api.query(`SELECT calculate_earnings_days(${userId}, 'de', '', 'earnings')`);
  expect(await days()).toEqual(["{[2026-11-01,2026-12-01)}", "{}"]);
});
