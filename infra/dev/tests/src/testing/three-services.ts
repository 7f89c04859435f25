import type { TestApi } from "@tapthru/api/testing/test-api";
import { createLink } from "@tapthru/api/testing/test-links";
import type { TestUser } from "@tapthru/api/testing/test-user";
import { Link } from "@tapthru/proto/http/links";
import type { TestDatabase } from "@tapthru/redirect/testing/test-service";
import { startWorker, stopWorker } from "@tapthru/worker/testing/test-worker";
import { expect, vi } from "vitest";
import { startService } from "./service-process.ts";

export const WAIT = { timeout: 60_000, interval: 100 };
const SITE = "http://localhost:8080";

export const SERVICES = ["api", "redirect", "worker"] as const;
export type Service = (typeof SERVICES)[number];

export interface ThreeServices {
  api: Pick<TestApi, "post" | "request" | "publicBaseUrl">;
  /** Where a link leads, or the status of a response that does not redirect. */
  open(shortCode: string): Promise<string | number>;
  /** The status of a user's request for their links. */
  status(user: TestUser): Promise<number>;
  /** Creates, edits, opens and deletes a link of a store, after the worker has tried to read its page. */
  useLinks(user: TestUser, store: string): Promise<void>;
  logOut(user: TestUser): Promise<void>;
  stop(): Promise<void>;
}

/** Starts api, redirect and worker as in production. Only accounts and Amazon are not real. */
export async function startThreeServices(options: {
  database: TestDatabase;
  /** The address through which a service connects to Postgres; by default the server's own. */
  databaseUrlOf?: (url: string, service: Service) => string;
  redisUrlOf(service: Service): string;
  settings?: NodeJS.ProcessEnv;
}): Promise<ThreeServices> {
  const { database, databaseUrlOf = (url: string) => url, redisUrlOf, settings = {} } = options;
  async function settingsOf(service: Service): Promise<NodeJS.ProcessEnv> {
    const redisUrl = redisUrlOf(service);
    return {
      ...{ REDIS_CACHE_URL: redisUrl, REDIS_QUEUE_URL: redisUrl, PUBLIC_BASE_URL: SITE },
      DATABASE_URL: databaseUrlOf(await database.urlAs(`tapthru_${service}`), service),
      ...settings,
    };
  }

  const { DATABASE_URL: workerDatabase = "" } = await settingsOf("worker");
  const worker = await startWorker({
    databaseUrl: workerDatabase,
    redisUrl: redisUrlOf("worker"),
    storeUrl: "http://127.0.0.1:1",
    settings,
  });
  const redirect = await startService("redirect", {
    ...(await settingsOf("redirect")),
    OUTCOME_KEY: "only-for-tests-".repeat(3),
  });
  const apiProcess = await startService("api", {
    ...(await settingsOf("api")),
    SESSION_KEYS: "a-key-that-signs-the-cookies-of-tests",
    FIREBASE_PROJECT_ID: "demo-tapthru",
    FIREBASE_AUTH_EMULATOR_HOST: process.env.TEST_FIREBASE_EMULATOR_HOST,
  });

  const api: ThreeServices["api"] = {
    publicBaseUrl: SITE,
    request: (method, path, headers = {}, body) =>
      fetch(apiProcess.url + path, {
        method,
        headers: { "content-type": "application/json", ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    post: (path, body, headers) => api.request("POST", path, headers, body),
  };

  async function open(shortCode: string): Promise<string | number> {
    const response = await fetch(`${redirect.url}/l/${shortCode}`, { redirect: "manual" });
    return response.headers.get("location") ?? response.status;
  }

  const opens = (shortCode: string, expected: string | number) =>
    vi.waitFor(async () => expect(await open(shortCode)).toBe(expected), WAIT);

  const status = async ({ browser }: TestUser) =>
    (await api.request("GET", "/api/links", browser)).status;

  return {
    api,
    open,
    status,
    async useLinks({ browser }, store) {
      const page = (asin: string) => `https://www.amazon.${store}/dp/${asin}`;
      const [first, second] = [page("B0ZZ1Y2X3W"), page("B0ZZ9Z9Z9Z")];
      const code = await createLink(api, browser, first);
      await opens(code, first);
      const edited = await api.request("PATCH", `/api/links/${code}`, browser, { url: second });
      const { id } = Link.parse(await edited.json());
      await opens(code, second);
      await vi.waitFor(async () => {
        const { rows } = await database.client.query(
          "SELECT FROM products WHERE marketplace = $1 AND attempts > 0",
          [store],
        );
        expect(rows).not.toEqual([]);
      }, WAIT);
      const deleted = await api.request("DELETE", `/api/links/${id}`, browser);
      expect(deleted.status).toBe(200);
      await opens(code, 404);
    },
    async logOut(user) {
      expect((await api.post("/api/logout", {}, user.browser)).status).toBe(200);
      expect(await status(user)).toBe(401);
    },
    async stop() {
      await apiProcess.stop();
      await redirect.stop();
      await stopWorker(worker, "SIGKILL");
    },
  };
}
