import { randomBytes } from "node:crypto";
import { insertLinksQuery } from "@tapthru/core/links/insert-links";
import { GeneratedLink } from "@tapthru/proto/generate";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApi } from "../testing/world.ts";
import { INSERTED_LINK } from "./link-row.ts";

const webUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";
const link = {
  index: 0,
  originalUrl: webUrl,
  webUrl,
  deepLink: "https://tap.example/redirect?product_id=B0ZZ1Y2X3W",
  marketplace: "de" as const,
  tag: null,
  asin: null,
  page: null,
  pageTitle: null,
  channelId: null,
  channelTag: null,
  mayReplaceSlug: false,
  domain: null,
  idempotencyKey: null,
};

const api = await startApi();
beforeAll(async () => {
  await api.query(`
    CREATE SEQUENCE draws;
    GRANT USAGE ON SEQUENCE draws TO tapthru_api;
    CREATE FUNCTION draw_taken_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('draws') <= TG_ARGV[0]::integer THEN NEW.short_code := 'taken22'; END IF;
      RETURN NEW;
    END $$;
  `);
});
beforeEach(async () => {
  await api.empty();
  await api.query("DROP TRIGGER IF EXISTS unlucky ON links; ALTER SEQUENCE draws RESTART");
});

const store = (code: string) => {
  const visitor = { userId: null, visitorKey: randomBytes(32) };
  return api.context.db.maybeOne(insertLinksQuery(visitor, [{ ...link, code }], INSERTED_LINK));
};

/** Makes the next draws return a code that is in use. */
async function drawTakenCodes(count: number): Promise<void> {
  await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link)
    VALUES ('taken22', '${webUrl}', '${webUrl}', '${link.deepLink}');
    CREATE TRIGGER unlucky BEFORE INSERT ON links
    FOR EACH ROW EXECUTE FUNCTION draw_taken_code(${count})
  `);
}

describe("a short code", () => {
  it.each([[{}], [{ "idempotency-key": "a-key-of-the-visitor-22-or-more" }]])(
    "that is in use is replaced, with headers %j",
    async (headers) => {
      await drawTakenCodes(4);
      const response = await api.post("/api/generate", { url: webUrl }, headers);
      expect(response.status).toBe(201);
      const { shortCode } = GeneratedLink.parse(await response.json());
      expect(await api.query("SELECT short_code FROM links ORDER BY id")).toEqual([
        { short_code: "taken22" },
        { short_code: shortCode },
      ]);
    },
  );

  it("has a limited number of attempts", async () => {
    await drawTakenCodes(1_000);
    expect((await api.post("/api/generate", { url: webUrl })).status).toBe(500);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("that is retired is never used again", async () => {
    await api.query("INSERT INTO retired_codes VALUES ('retired', 'deleted', 2)");
    expect(await store("retired")).toBeNull();
    for (const table of ["links", "link_changes", "recent_creates"]) {
      expect(await api.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    expect(await store("retire2")).toMatchObject({ shortCode: "retire2" });
  });
});
