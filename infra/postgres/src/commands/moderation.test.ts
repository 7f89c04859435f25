import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createThrowawayDatabase } from "../testing/throwaway-database.ts";
import { dismissReports, reportedLinks, restoreLink, takeDownLink } from "./moderation.ts";

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

const rows = (statement: string) => database.rows(statement);

beforeEach(async () => {
  await rows(`
    TRUNCATE links, link_changes, reports, audit_log CASCADE;
    INSERT INTO links (short_code, original_url, web_url, deep_link)
    SELECT code, 'x', 'https://www.amazon.com/' || code, 'https://t.example/redirect?product_id=x'
    FROM unnest(ARRAY['2222222', '3333333', '4444444']) code;
    INSERT INTO reports (short_code, reason, count, last_reported_at) VALUES
      ('2222222', 'spam', 2, '2026-11-18Z'), ('3333333', 'spam', 1, '2026-11-20Z'),
      ('3333333', 'harmful', 4, '2026-11-19Z');
    INSERT INTO recent_creates (visitor_key, address_hash, short_code) VALUES ('', '', '2222222');
  `);
});

const linkChanges = () => rows("SELECT short_code, revision FROM link_changes ORDER BY id");
const record = async (code: string) =>
  (await rows(`SELECT record FROM redirect_records WHERE short_code = '${code}'`))[0]?.record;

it("lists reported links, the most reported first", async () => {
  expect(await reportedLinks(database.url)).toEqual([
    {
      shortCode: "3333333",
      webUrl: "https://www.amazon.com/3333333",
      counts: { harmful: 4, spam: 1 },
      lastReportedAt: new Date("2026-11-20T00:00Z"),
    },
    expect.objectContaining({ shortCode: "2222222", counts: { spam: 2 } }),
  ]);
});

describe("a link that is taken down", () => {
  it("is projected to Redis as taken down, through the outbox, and never returned by a repeated create", async () => {
    expect(await takeDownLink(database.url, "2222222")).toBe(true);
    expect(await linkChanges()).toEqual([{ short_code: "2222222", revision: 2 }]);
    expect(await record("2222222")).toEqual({ state: "gone", revision: 2, reason: "taken-down" });
    expect(await record("3333333")).toMatchObject({ state: "live", revision: 1 });
    expect(await rows("SELECT FROM recent_creates")).toEqual([]);
  });

  it("is taken down with all its codes, by any of them", async () => {
    await rows(`
      INSERT INTO link_codes (short_code, link_id)
      SELECT code, id FROM links, unnest(ARRAY['3333333', 'a-slug']) code WHERE short_code = '3333333';
      DELETE FROM reports;
      UPDATE links SET short_code = 'a-slug', has_earlier_codes = true WHERE short_code = '3333333';
    `);
    for (const code of ["3333333", "a-slug"]) {
      expect(await takeDownLink(database.url, code)).toBe(true);
      const states = await Promise.all(["3333333", "a-slug"].map(record));
      expect(states).toMatchObject([{ state: "gone" }, { state: "gone" }]);
      expect(await restoreLink(database.url, code)).toBe(true);
    }
    expect(new Set((await linkChanges()).map((row) => row.short_code))).toEqual(new Set(["3333333", "a-slug"]));
  });

  it("is not taken down again, and can be reinstated, once", async () => {
    await takeDownLink(database.url, "2222222");
    expect(await takeDownLink(database.url, "2222222")).toBe(false);
    expect(await restoreLink(database.url, "2222222")).toBe(true);
    expect((await reportedLinks(database.url)).map((link) => link.shortCode)).toContain("2222222");
    expect(await restoreLink(database.url, "2222222")).toBe(false);
    expect(await record("2222222")).toMatchObject({ state: "live", revision: 3 });
    expect(await linkChanges()).toHaveLength(2);
  });
});

it("a dismissal has a row in the audit log, with the command", async () => {
  await dismissReports(database.url, "3333333");
  await dismissReports(database.url, "3333333");
  expect(await rows("SELECT actor, actor_name, action, object, after FROM audit_log")).toEqual([
    {
      ...{ actor: "command", actor_name: "links dismiss", action: "report.decided" },
      ...{ object: "3333333", after: { state: "dismissed" } },
    },
  ]);
});

it("changes nothing for an unknown link", async () => {
  for (const change of [takeDownLink, restoreLink, dismissReports]) {
    expect(await change(database.url, "9999999")).toBe(false);
  }
  expect(await linkChanges()).toEqual([]);
});

it("dismisses the reports of a valid link and keeps the link", async () => {
  expect(await dismissReports(database.url, "3333333")).toBe(true);
  expect(await rows("SELECT DISTINCT short_code FROM reports WHERE decision IS NULL")).toEqual([
    { short_code: "2222222" },
  ]);
  expect(await record("3333333")).toMatchObject({ state: "live", revision: 1 });
});
