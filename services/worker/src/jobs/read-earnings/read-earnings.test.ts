import { describe, expect, it } from "vitest";
import { useDatabase } from "../../testing/test-database.ts";
import { addFile, addReportUser, importOf, readAll, reportsOf, zipOf } from "../../testing/test-reports.ts";
import { chooseStore, possibleStores } from "./settle-file.ts";

const database = await useDatabase();

const HEADINGS = "Name,ASIN,Tracking ID,Date Shipped,Items Shipped,Returns,Revenue(€),Ad Fees(€),Direct";
const sale = (tag: string, { asin = "B08N5WRWNW", fees = "0.52", day = "2026-09-03" } = {}) =>
  `Mug,${asin},${tag},${day},1,0,12.99,${fees},Direct`;
const earnings = (...rows: string[]) =>
  ["Fee-Earnings reports from 2026-09-01 to 2026-09-30", HEADINGS, ...rows].join("\n");
const tracking = (from: string, to: string) =>
  `Fee-Tracking reports from ${from} to ${to}\nTracking ID,Clicks\nme-21,7\n`;
const rowsOf = (importId: string) =>
  database.rows(
    `SELECT day::text, tag, asin, is_direct, earnings, shipped, clicks FROM earnings_rows
     JOIN earnings_reports ON earnings_reports.id = report_id WHERE import_id = $1
     ORDER BY report_id, tag`,
    [importId],
  );
const link = (userId: number, url: string, tag: string) =>
  database.rows(
    `INSERT INTO links (short_code, original_url, web_url, marketplace, tag, asin, deep_link, user_id)
     VALUES ('abc2345', $1, $1, 'de', $3, 'B08N5WRWNW', 'https://t.example/redirect?product_id=B08N5WRWNW', $2)`,
    [url, userId, tag],
  );

describe("a file that is read", () => {
  it("stores reports and rows, which count for no day yet", async () => {
    const id = await addFile(
      database,
      zipOf({
        "a.csv": earnings(sale("me-21"), sale("me-21"), sale("other-21"), "Total,,,,3,0,38.97,1.56,"),
        "b.csv": tracking("2026-09-01", "2026-09-30"),
        "c.xml": "",
      }),
    );
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({
      state: "ready",
      marketplace: "de",
      reader: null,
      ignored_files: ["c.xml"],
      stored_at: null,
    });
    expect(await reportsOf(database, id)).toMatchObject([
      {
        file_name: "a.csv",
        kind: "earnings",
        marketplace: "de",
        first_day: "2026-09-01",
        last_day: "2026-09-30",
        currency: "EUR",
        row_count: 3,
        unread_lines: [{ line: 6, text: "Total, 3, 0, 38.97, 1.56" }],
        unmatched_row_count: 1,
        sums: { earnings: 156, revenue: 3_897, shipped: 3, returned: 0, ordered: null },
        days: "{}",
      },
      { file_name: "b.csv", kind: "tracking", row_count: 1, sums: { clicks: 7 }, days: "{}" },
    ]);
    const sold = { day: "2026-09-03", asin: "B08N5WRWNW", is_direct: true, clicks: null };
    const clicked = { asin: "", is_direct: null, earnings: null, shipped: null };
    expect(await rowsOf(id)).toEqual([
      { ...sold, tag: "me-21", earnings: "104", shipped: 2 },
      { ...sold, tag: "other-21", earnings: "52", shipped: 1 },
      { ...clicked, day: "2026-09-01", tag: "me-21", clicks: 7 },
    ]);
    expect(await database.rows("SELECT asin, name FROM earnings_products")).toEqual([
      { asin: "B08N5WRWNW", name: "Mug" },
    ]);
  });

  it("knows tracking ids of earlier days and links, in any case", async () => {
    const userId = await addReportUser(database);
    await database.rows(
      `INSERT INTO earlier_channel_tags SELECT $1, 'de', 'old-21', id FROM channels WHERE user_id = $1`,
      [userId],
    );
    await link(userId, "https://www.amazon.de/dp/B08N5WRWNW?th=1&tag=link-21", "link-21");
    const others = await addReportUser(database, { tag: "others-21" });
    const tags = ["Me-21", "old-21", "link-21", "others-21", "us-20"];
    const file = earnings(...tags.map((tag) => sale(tag)));
    const [own, foreign] = [
      await addFile(database, file, { userId }),
      await addFile(database, file, { userId: others }),
    ];
    await readAll(database, own);
    await readAll(database, foreign);
    expect(await reportsOf(database, own)).toMatchObject([{ unmatched_row_count: 2 }]);
    expect(await reportsOf(database, foreign)).toMatchObject([{ unmatched_row_count: 4 }]);
  });

  it("reads a file again from the beginning, with what the user said", async () => {
    const file = "Tracking ID,Date Shipped,ASIN,Items Shipped,Ad Fees\nme-21,03/04/2026,B08N5WRWNW,1,0.52\n";
    const id = await addFile(database, file, { marketplace: "de" });
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "question", question: "date-order" });
    await database.rows("UPDATE earnings_imports SET state = 'reading', question = NULL, date_order = 'day-first'");
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "ready", question: null });
    expect(await rowsOf(id)).toMatchObject([{ day: "2026-04-03" }]);
    expect(await database.rows("SELECT FROM earnings_reports")).toHaveLength(1);
  });
});

describe("a file that is refused", () => {
  const refusalOf = async (id: string) => {
    await readAll(database, id);
    const row = await importOf(database, id);
    return [row?.state, row?.refusal];
  };

  it("says line, reason and text, cut between characters, and leaves no rows", async () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => sale(`tag${index}-21`));
    const fees = `${"x".repeat(199)}😀😀`;
    const id = await addFile(database, zipOf({ "a.csv": earnings(...rows, sale("x", { fees })) }));
    const refusal = { reason: "unclear-number", fileName: "a.csv", line: 6_003, text: `${"x".repeat(199)}\uFFFD` };
    expect(await refusalOf(id)).toEqual(["refused", refusal]);
    expect(await database.rows("SELECT FROM earnings_reports, earnings_rows")).toEqual([]);
  });

  it("refuses amounts that may or may not have decimal places", async () => {
    const row = "Mug,B08N5WRWNW,me-21,2026-09-03,1,0,1.234,1.234,Direct";
    const unclear = await addFile(database, earnings(row));
    expect(await refusalOf(unclear)).toMatchObject(["refused", { reason: "unclear-number", line: 3, text: "1.234" }]);
    // The separator of thousands of another amount, or of a number of items, shows it.
    for (const other of [
      sale("me-21").replace("12.99", '"12,99"').replace("0.52", '"0,52"'),
      row.replace("1,0,1.234", "1.234,0,1.234"),
    ]) {
      const clear = await addFile(database, earnings(row, other));
      expect(await refusalOf(clear)).toEqual(["ready", null]);
    }
  });

  it("has decimal places in a currency without", async () => {
    const file = (fees: string) =>
      `Tracking ID,Date Shipped,ASIN,Items Shipped,Ad Fees\nme-22,2026-09-03,B08N5WRWNW,1,${fees}\n`;
    const [yen, fraction] = [
      await addFile(database, file("52.00"), { marketplace: "co.jp" }),
      await addFile(database, file("52.50"), { marketplace: "co.jp" }),
    ];
    expect(await refusalOf(yen)).toEqual(["ready", null]);
    expect(await rowsOf(yen)).toMatchObject([{ earnings: "52" }]);
    expect(await refusalOf(fraction)).toMatchObject(["refused", { reason: "unclear-number", line: 2, text: "52.50" }]);
  });

  it("refuses two reports of one kind with common days", async () => {
    const files = {
      "a.csv": tracking("2026-09-01", "2026-09-30"),
      "b.csv": earnings(sale("me-21")),
      "c.csv": tracking("2026-10-01", "2026-10-31"),
    };
    const disjoint = await addFile(database, zipOf(files));
    expect(await refusalOf(disjoint)).toEqual(["ready", null]);
    const repeated = await addFile(database, zipOf({ ...files, "d.csv": tracking("2026-10-31", "2026-11-01") }));
    expect(await refusalOf(repeated)).toMatchObject([
      "refused",
      { reason: "repeated-days", fileName: "d.csv", text: "c.csv" },
    ]);
    expect(await reportsOf(database, repeated)).toEqual([]);
  });

  it("takes more time than a file may take", async () => {
    const id = await addFile(database, earnings(sale("me-21")));
    const module = new URL("../../child-process/testing/hostile-program.ts", import.meta.url);
    await readAll(database, id, { module, cpuMs: 500 });
    expect(await refusalOf(id)).toMatchObject(["refused", { reason: "takes-too-long" }]);
    expect(await importOf(database, id)).toMatchObject({ attempts: 0 });
  });

  it("refuses a file that stopped the worker too often", async () => {
    const id = await addFile(database, earnings(sale("me-21")));
    await database.rows("UPDATE earnings_imports SET attempts = 10");
    expect(await refusalOf(id)).toMatchObject(["refused", { reason: "not-read" }]);
  });
});

describe("runs", () => {
  it("other runs leave a file to the one that reads it, however often the job starts again", async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => sale(`tag${index % 9_000}-21`));
    const id = await addFile(database, earnings(...rows), { marketplace: "de" });
    await Promise.all(Array.from({ length: 12 }, () => readAll(database, id)));
    expect(await importOf(database, id)).toMatchObject({ state: "ready", attempts: 0 });
    expect(await reportsOf(database, id)).toMatchObject([{ row_count: 12_000 }]);
    const [sum] = await database.rows("SELECT sum(shipped)::int AS shipped FROM earnings_rows");
    expect(sum).toEqual({ shipped: 12_000 });
  });

  it("a run begins 30 seconds after one whose worker stopped, which counts as an attempt", async () => {
    const id = await addFile(database, earnings(sale("me-21")));
    const set = (end: string) =>
      database.rows(`UPDATE earnings_imports SET reader = gen_random_uuid(), reader_until = ${end}`);
    await set("now() + interval '1 second'");
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "reading", attempts: 0 });
    await set("now() - interval '1 second'");
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "ready", attempts: 1 });
  });

  it.each([
    ["another one began", "reader = gen_random_uuid()"],
    ["the user said something else about the file", "reader = NULL"],
    ["its import was removed", "state = 'removed'"],
  ])("adds neither rows nor names once %s", async (_, change) => {
    await database.rows(
      `CREATE FUNCTION change_import() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         UPDATE earnings_imports SET ${change}; RETURN NULL; END $$;
       CREATE TRIGGER change_import AFTER INSERT ON earnings_reports EXECUTE FUNCTION change_import()`,
    );
    const id = await addFile(database, earnings(sale("me-21")));
    await readAll(database, id);
    await database.rows("DROP FUNCTION change_import CASCADE");
    expect((await importOf(database, id))?.state).not.toBe("ready");
    expect(await database.rows("SELECT FROM earnings_rows")).toEqual([]);
    expect(await database.rows("SELECT FROM earnings_products")).toEqual([]);
  });

  it("starts again at once after an aborted run", async () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => sale(`tag${index}-21`));
    const id = await addFile(database, earnings(...rows), { marketplace: "de" });
    await expect(readAll(database, id, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ attempts: 0 });
    expect(await reportsOf(database, id)).toMatchObject([{ row_count: 6_000 }]);
  });
});

describe("the store", () => {
  it.each([
    [["GBP"], [], "co.uk"],
    [["EUR"], ["de"], "de"],
    [["EUR"], ["de", "com"], "de"],
    [["EUR"], ["de", "fr"], null],
    [["EUR"], ["com"], null],
    [null, ["fr"], "fr"],
    [null, [], null],
    [[], ["fr"], null],
  ])("follows from the currencies %j and the stores of tracking ids %j: %s", (currencies, stores, store) => {
    const has = (marketplace: string) => stores.some((own) => own === marketplace);
    expect(chooseStore(possibleStores([{ currencies }]), ["me-21"], has)).toBe(store);
  });

  it("asks for the store if it does not follow, and reads nothing twice without an answer", async () => {
    const id = await addFile(database, earnings(sale("unknown-21")));
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "question", question: "marketplace" });
    await readAll(database, id);
    expect(await importOf(database, id)).toMatchObject({ state: "question" });
  });
});
