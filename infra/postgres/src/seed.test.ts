import { afterAll, expect, it } from "vitest";
import { seed } from "./seed.ts";
import { createThrowawayDatabase } from "./testing/throwaway-database.ts";

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

it("gives the demo account links beside those without an owner, and keeps them under a new uid", async () => {
  expect((await seed(database.url, "https://t.example")).length).toBeGreaterThan(0);
  const account = { firebaseUid: "uid-1", email: "demo@t.example", username: "demo" };
  const made = await seed(database.url, "https://t.example", account);
  expect(made.length).toBeGreaterThan(0);
  expect(await seed(database.url, "https://t.example", { ...account, firebaseUid: "uid-2" })).toEqual([]);
  const rows = await database.rows(
    "SELECT firebase_uid, short_code FROM links JOIN users ON users.id = user_id ORDER BY 2",
  );
  expect(rows).toEqual(made.sort().map((code) => ({ firebase_uid: "uid-2", short_code: code })));
});

it("gives the demo account channels, clicks and three months of reports, once", async () => {
  const account = { firebaseUid: "uid-3", email: "shop@t.example", username: "shop" };
  await database.rows("DELETE FROM links");
  await seed(database.url, "https://t.example", account);
  const counts = () =>
    database.rows(`
      SELECT (SELECT count(*)::int FROM channels WHERE user_id = users.id) AS channels,
        (SELECT count(*)::int FROM earnings_imports WHERE user_id = users.id AND state = 'stored') AS imports,
        (SELECT count(*)::int FROM link_labels) AS labels,
        (SELECT currency FROM earnings_rates WHERE user_id = users.id) AS currency,
        (SELECT count(DISTINCT day)::int FROM clicks) AS days,
        (SELECT sum(people) FROM clicks) = (SELECT sum(people) FROM user_clicks WHERE user_id = users.id) AS "areAllOfUser"
      FROM users WHERE username = 'shop'
    `);
  const made = {
    channels: 3,
    imports: 9,
    labels: 4,
    currency: "EUR",
    days: 92,
    areAllOfUser: true,
  };
  expect(await counts()).toEqual([made]);
  await seed(database.url, "https://t.example", account);
  expect(await counts()).toEqual([made]);
  const outcomes = ["page", "opened", "stayed"].map(
    (outcome) => `(SELECT sum(split_part(counts ->> 'o:${outcome}', ':', 2)::int)::int FROM user_clicks) AS ${outcome}`,
  );
  const [opening] = await database.rows(`SELECT ${outcomes.join()}`);
  const [page, opened, stayed] = [Number(opening?.page), Number(opening?.opened), Number(opening?.stayed)];
  // Some pages did not open the app, and some did not say it.
  expect(opened / (opened + stayed)).toBeCloseTo(0.88, 1);
  expect(opened + stayed).toBeLessThan(page);
  // Each report counts for its whole period, and names tracking ids that the links have.
  const uncounted = `SELECT id FROM earnings_reports WHERE days <> datemultirange(daterange(first_day, last_day, '[]'))`;
  expect(await database.rows(uncounted)).toEqual([]);
  const unknown = `SELECT tag FROM earnings_rows WHERE NOT EXISTS (
    SELECT FROM links WHERE strpos(link_url(links, web_url), 'tag=' || earnings_rows.tag) > 0)`;
  expect(await database.rows(unknown)).toEqual([]);
  const followers = await database.rows(
    "SELECT short_code, link_tag(links) AS tag FROM links WHERE follows_channel ORDER BY 1",
  );
  expect(followers).toEqual([
    { short_code: "demmz22", tag: "demoinsta-21" },
    { short_code: "demmz23", tag: "demoinsta-21" },
    { short_code: "demmz24", tag: "demotube-20" },
    { short_code: "demmz25", tag: "demotube-21" },
  ]);
});
