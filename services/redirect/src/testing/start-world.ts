import { ownerKey } from "@tapthru/proto/redirect/owner";
import { Window } from "happy-dom";
import { afterAll, vi } from "vitest";
import {
  createTestDatabase,
  DESKTOP,
  liveRecord,
  newCode,
  newUserId,
  ownerRecord,
  startTestService,
  type TestDatabase,
  type TestService,
} from "./test-service.ts";

/** A database for all tests of the file. */
export async function databaseForFile(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  afterAll(() => database.drop());
  return database;
}

interface GetOptions {
  agent?: string;
  method?: "GET" | "HEAD";
  headers?: Record<string, string>;
}

/** The service with a database of its own, for all tests of the file. Its Redis is shared, unless given. */
export async function startWorld(urls: Partial<Parameters<typeof startTestService>[0]> = {}) {
  const database = await databaseForFile();
  const redisUrl = process.env.TEST_REDIS_URL ?? "";
  const service: TestService = await startTestService({ databaseUrl: database.url, redisUrl, ...urls });
  afterAll(() => service.stop());
  const { app, context } = service;
  return {
    database,
    service,
    app,
    context,
    records: context.redirectStore,
    /** Stores the record of a new link in Redis, and that of its owner, if it has one. @returns the link's code */
    async addRecord(
      fields: Parameters<typeof liveRecord>[0] = {},
      owner?: Parameters<typeof ownerRecord>[0],
    ): Promise<string> {
      const code = newCode();
      const key = owner && ownerKey(newUserId());
      if (key !== undefined) await context.redirectStore.put(key, ownerRecord(owner));
      await context.redirectStore.put(code, liveRecord({ ...(key && { owner: key }), ...fields }));
      return code;
    },
    get: (url: string, { agent = DESKTOP, method = "GET", headers = {} }: GetOptions = {}) =>
      app.inject({ method, url, headers: { "user-agent": agent, ...headers } }),
  };
}

export function parseHtml(html: string) {
  const { document } = new Window();
  document.write(html);
  return document;
}

export const linksIn = (html: string) => [...parseHtml(html).querySelectorAll("a")].map((a) => a.getAttribute("href"));

/** Waits as long as it takes. */
export const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000 });
