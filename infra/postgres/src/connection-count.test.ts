import { expect, it, onTestFinished } from "vitest";
import { checkConnectionCount, connectionsNeeded } from "./connection-count.ts";
import { createThrowawayDatabase } from "./testing/throwaway-database.ts";

it("the defaults of Compose leave room within its 300 connections for 25 redirects", () => {
  expect(connectionsNeeded({ api: 1, redirect: 2 })).toBe(68);
  expect(connectionsNeeded({ api: 1, redirect: 25 })).toBe(298);
});

it("an error names the replicas, the connections that they need and those that Postgres allows", async () => {
  const database = await createThrowawayDatabase();
  onTestFinished(() => database.drop());
  const [{ max_connections: max } = {}] = await database.rows("SHOW max_connections");
  await checkConnectionCount(database.url, { api: 1, redirect: 2 });
  await expect(checkConnectionCount(database.url, { api: 2, redirect: 1000 })).rejects.toThrow(
    `REDIRECT_REPLICAS=1000 and API_REPLICAS=2 need 10063 connections to Postgres, and its max_connections is ${max}`,
  );
});
