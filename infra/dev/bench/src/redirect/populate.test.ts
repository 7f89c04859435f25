import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeOf } from "./codes.ts";
import { fillPostgres } from "./populate.ts";

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
  await fillPostgres(database.url, 1_000);
  expect(await codes()).toHaveLength(1_000);
  await fillPostgres(database.url, 1_200);
  expect(await codes()).toEqual(
    Array.from({ length: 1_200 }, (_, number) => codeOf(number)).sort(),
  );
});
