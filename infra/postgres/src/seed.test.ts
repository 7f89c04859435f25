import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seed } from "./seed.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

it("inserts links once", async () => {
  const made = await seed(database.url, "https://t.example");
  expect(made.length).toBeGreaterThan(0);
  for (const shortCode of made) expect(shortCode).toMatch(SHORT_CODE_PATTERN);
  expect(await seed(database.url, "https://t.example")).toEqual([]);

  const rows = await database.rows(
    "SELECT short_code FROM links JOIN link_changes USING (short_code)",
  );
  expect(rows.map((row) => row.short_code).sort()).toEqual(made.sort());
});

it("inserts the pages of its links", async () => {
  await seed(database.url, "https://t.example");
  const known = `SELECT bool_and(product_id IS NOT NULL) AS known
    FROM links LEFT JOIN products USING (canonical_url) WHERE canonical_url IS NOT NULL`;
  expect(await database.rows(known)).toEqual([{ known: true }]);
});

it("gives the demo account links, which it keeps under a new uid", async () => {
  const account = { firebaseUid: "uid-1", email: "demo@t.example", username: "demo" };
  const made = await seed(database.url, "https://t.example", account);
  expect(made.length).toBeGreaterThan(0);
  expect(
    await seed(database.url, "https://t.example", { ...account, firebaseUid: "uid-2" }),
  ).toEqual([]);

  const rows = await database.rows(
    "SELECT firebase_uid, short_code FROM links JOIN users ON users.id = user_id ORDER BY 2",
  );
  expect(rows).toEqual(made.sort().map((code) => ({ firebase_uid: "uid-2", short_code: code })));
});
