import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { useStandIn } from "../testing/test-source.ts";
import { parseRates, readExchangeRates } from "./read-exchange-rates.ts";

const database = await useDatabase("exchange_rates");
const { rows } = database;
const standIn = await useStandIn();

const read = (fetchRates: SafeFetch | null) =>
  workNow({ db: database.db, logger: createTestLogger().logger, fetchRates }, readExchangeRates);
const known = async () =>
  Object.fromEntries((await rows("SELECT currency, rate FROM exchange_rates")).map((row) => [row.currency, row.rate]));

const xml = (cubes: string, day = "2024-11-27") =>
  `<Envelope><Cube><Cube time="${day}">${cubes}</Cube></Cube></Envelope>`;
const cube = (currency: string, rate: string) => `<Cube currency="${currency}" rate="${rate}"/>`;

function reply(body: string, status = 200) {
  const urls: string[] = [];
  const fetchRates: SafeFetch = async ({ url }) => {
    urls.push(url);
    const answer = { status, location: null, contentType: null, retryAfter: null };
    return { ...answer, body: { bytes: Buffer.from(body), truncated: false } };
  };
  return { urls, fetchRates };
}

it("the rates of the bank are read once a day, from the bank alone", async () => {
  await read(standIn.fetchWithin(5_000));
  expect(await known()).toEqual({ EUR: 1, USD: 1.0875, GBP: 0.8547, JPY: 171.2 });
  expect(standIn.requested()).toEqual(["www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"]);
  const { urls, fetchRates } = reply(xml(cube("USD", "1.2")));
  await read(fetchRates);
  expect(urls).toEqual([]);
  await rows("UPDATE exchange_rates SET read_at = now() - interval '25 hours'");
  await read(fetchRates);
  expect(urls).toHaveLength(1);
  expect(await known()).toEqual({ EUR: 1, USD: 1.2 });
});

it("rates stay while the bank cannot be reached, and go when they are not to be read", async () => {
  await read(reply(xml(cube("USD", "1.2"))).fetchRates);
  await rows("UPDATE exchange_rates SET read_at = now() - interval '25 hours'");
  await read(() => Promise.reject(new SafeFetchError("unreachable")));
  await read(reply("", 503).fetchRates);
  await read(reply("<html>Maintenance</html>").fetchRates);
  expect(await known()).toEqual({ EUR: 1, USD: 1.2 });
  expect(await rows("SELECT FROM failed_items")).toEqual([]);
  await read(null);
  expect(await known()).toEqual({});
});

describe("a hostile text", () => {
  it.each([
    ["is empty", ""],
    ["has no day", `<Cube>${cube("USD", "1.2")}</Cube>`],
    [
      "has a day in the future",
      xml(cube("USD", "1.2"), new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)),
    ],
    ["has no date", xml(cube("USD", "1.2"), "2026-13-01")],
    ["has no rates", xml("")],
    [
      "has no usable rate",
      xml(["0", "-1", "1e-300", "", "1e99", "NaN", "Infinity", "x"].map((rate) => cube("USD", rate)).join("")),
    ],
    ["has no currency", xml(["usd", "USDT", "", "U$D", "__proto__"].map((name) => cube(name, "1")).join(""))],
    ["has entities", `<!DOCTYPE a [<!ENTITY b "USD">]>${xml(cube("&b;", "1.2"))}`],
  ])("a text that %s has no rates", (_, text) => expect(parseRates(text)).toBeNull());

  it("gives a hundred rates at most, and of a repeated currency the first", () => {
    const codes = Array.from({ length: 676 }, (_, n) => `Z${String.fromCharCode(65 + n / 26, 65 + (n % 26))}`);
    const many = parseRates(xml(codes.map((code) => cube(code, "2")).join("")));
    expect(many?.rates.size).toBe(100);
    expect(parseRates(xml(cube("USD", "1.2") + cube("USD", "9")))?.rates.get("USD")).toBe(1.2);
  });
});
