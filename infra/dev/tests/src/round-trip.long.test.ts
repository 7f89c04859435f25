import { startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { type LinkInExport, LinksExport } from "@tapthru/proto/export";
import { Import } from "@tapthru/proto/imports";
import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { UserRequest } from "@tapthru/stack/testing/callers";
import { afterAll, expect, it, vi } from "vitest";
import { startThreeServices } from "./testing/three-services.ts";

const WAIT_OPTIONS = { timeout: 240_000, interval: 200 };

const redis = await startRedis();
const amazon = await startAmazonStandIn();
const database = await createThrowawayDatabase();
const settings = { EGRESS_STAND_IN_URL: amazon.url };
const services = await startThreeServices({ database, redisUrlOf: () => redis.url, settings });
afterAll(async () => {
  await services.stop();
  await database.drop();
  await amazon.stop();
  await redis.remove();
});

/** Texts that CSV, spreadsheets or encodings could change. */
const NAMES = [
  null,
  "Desk lamp",
  "=1+1",
  "'=1+1",
  "''quoted",
  "+49 @home -5",
  'a "quoted", name; with\\all',
  "Lämpchen, größer",
  "灯 💡 🇩🇪",
  "مصباح",
  "\uFF1D1",
  "x".repeat(100),
];
const LABELS = ["Gifts", "=cmd", "a; b\\c", "Größe"];
const EXPIRIES = [null, "2999-12-31T23:59:59.999Z", "2030-01-01T00:00:00.000Z"];
const QUERIES = ["", "&a=b,c;d", "&q=%22x%22%2C", "&ü=ß", "&x=%E2%82%AC+1", "&e='1'", "&tab=a%09b"];

function sourceLink(n: number) {
  const url = `https://www.amazon.${["com", "de", "co.uk"][n % 3]}/dp/B0${String(n % 20).padStart(8, "0")}?tag=me-20&n=${n}${QUERIES[n % QUERIES.length]}`;
  const address = parseAmazonUrl(url);
  if (!isStorePage(address)) throw new Error(`Not a store page: ${url}`);
  return {
    url,
    webUrl: address.webUrl,
    code: `source-${n}`,
    title: NAMES[n % NAMES.length],
    nickname: NAMES[(n * 7 + 3) % NAMES.length],
    expiresAt: EXPIRIES[n % EXPIRIES.length],
    labels: LABELS.filter((_, index) => (n >> index) % 2 === 1),
  };
}

/** Of the only user. */
async function insertLinks(): Promise<void> {
  const links = Array.from({ length: IMPORT_LINES_MAX_COUNT }, (_, index) => sourceLink(index + 1));
  const json = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
  await database.rows(`
    INSERT INTO labels (user_id, name, name_key, colour)
    SELECT users.id, name, lower(name), 'red' FROM users, jsonb_array_elements_text(${json(LABELS)}) AS name;
    CREATE TEMPORARY TABLE source AS
    SELECT * FROM jsonb_to_recordset(${json(links)}) AS link (
      url text, "webUrl" text, code text, title text, nickname text, "expiresAt" timestamptz, labels text[]
    );
    INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, title, nickname, expires_at)
    SELECT code, url, "webUrl", 'https://t.example/redirect?product_id=B0', users.id, title, nickname, "expiresAt"
    FROM users, source;
    INSERT INTO link_codes (short_code, link_id) SELECT short_code, id FROM links;
    INSERT INTO link_labels SELECT links.id, labels.id FROM source
    JOIN links ON short_code = code JOIN labels ON labels.name = ANY (labels);
  `);
}

const exportedJson = async (user: UserRequest) =>
  LinksExport.parse(await (await user("GET", "/api/export?format=json")).json()).links;

async function importFile(file: ArrayBuffer, user: UserRequest): Promise<Import> {
  const uploaded = await user("POST", "/api/imports?name=links.csv", file);
  expect(uploaded.status).toBe(201);
  const { id, counts } = Import.parse(await uploaded.json());
  expect(counts).toMatchObject({ links: IMPORT_LINES_MAX_COUNT, refused: 0 });
  await user("POST", `/api/imports/${id}/start`);
  return vi.waitFor(async () => {
    const row = Import.parse(await (await user("GET", `/api/imports/${id}?limit=1`)).json());
    expect(row.state).toBe("finished");
    return row;
  }, WAIT_OPTIONS);
}

const comparable = (links: readonly LinkInExport[]) =>
  links
    .map(({ url, title, nickname, labels, expiresAt }) =>
      JSON.stringify([url, title, nickname, labels.map(({ name }) => name).sort(), expiresAt]),
    )
    .sort();

it("10,000 exported links are the same after another user imported them, and keep the codes that are free", async () => {
  const ada = await services.signUp();
  await insertLinks();
  const eve = await services.signUp();
  const source = await exportedJson(ada);
  const file = await (await ada("GET", "/api/export?format=csv")).arrayBuffer();
  await database.rows(
    "DELETE FROM links WHERE short_code LIKE '%0'; DELETE FROM link_codes WHERE short_code LIKE '%0'",
  );
  const { counts } = await importFile(file, eve);
  const taken = IMPORT_LINES_MAX_COUNT * 0.9;
  expect(counts).toMatchObject({ created: IMPORT_LINES_MAX_COUNT, replaced: taken });
  const imported = await exportedJson(eve);
  expect(comparable(imported)).toEqual(comparable(source));
  const codeByUrl = new Map(imported.map(({ url, shortCode }) => [url, shortCode]));
  const kept = source.filter(({ url, shortCode }) => codeByUrl.get(url) === shortCode);
  expect(kept.map(({ shortCode }) => shortCode).sort()).toEqual(
    source
      .map(({ shortCode }) => shortCode)
      .filter((code) => code.endsWith("0"))
      .sort(),
  );
}, 300_000);
