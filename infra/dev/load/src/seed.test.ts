import { codeOf } from "@tapthru/bench/redirect/codes";
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seed } from "./seed.ts";

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
});

afterAll(() => database.drop());

const codes = () =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query(
      "SELECT short_code FROM redirect_records ORDER BY short_code",
    );
    return rows.map(({ short_code }) => short_code);
  });

it("inserts the links, and only missing ones in a second run", async () => {
  await seed(database.url, 1_000);
  expect(await codes()).toHaveLength(1_000);
  await seed(database.url, 1_200);
  expect(await codes()).toEqual(
    Array.from({ length: 1_200 }, (_, number) => codeOf(number)).sort(),
  );
});

it.each([0, 0.5, 1_000_001, Number.NaN])("rejects %s links", async (links) => {
  await expect(seed(database.url, links)).rejects.toThrow("must be an integer");
});
