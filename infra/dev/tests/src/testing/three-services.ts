import type { ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { logout } from "@tapthru/proto/accounts";
import { GeneratedLink, generate } from "@tapthru/proto/generate";
import { Link } from "@tapthru/proto/links";
import { signUp, type UserRequest } from "@tapthru/stack/testing/callers";
import { startService } from "@tapthru/stack/testing/service-process";
import { expect, vi } from "vitest";
import * as z from "zod/mini";

export const WAIT = { timeout: 60_000, interval: 100 };

export const SERVICES = ["api", "redirect", "worker"] as const;
export type Service = (typeof SERVICES)[number];

export interface ThreeServices {
  apiUrl: string;
  signUp(): Promise<UserRequest>;
  /** Where a link leads, or the status of a response that does not redirect. */
  open(shortCode: string): Promise<string | number>;
  /** Creates, edits, opens and deletes a link of a store, after the worker has tried to read its page. */
  useLinks(user: UserRequest, store: string): Promise<void>;
  logOut(user: UserRequest): Promise<void>;
  stop(): Promise<void>;
}

export async function startThreeServices(options: {
  database: ThrowawayDatabase;
  /** The address through which a service connects to Postgres; by default the server's own. */
  databaseUrlOf?: (url: string, service: Service) => string;
  redisUrlOf(service: Service): string;
  settings?: NodeJS.ProcessEnv;
}): Promise<ThreeServices> {
  const { database, databaseUrlOf = (url: string) => url, redisUrlOf, settings } = options;
  async function start(service: Service) {
    const redisUrl = redisUrlOf(service);
    return startService(service, {
      REDIS_CACHE_URL: redisUrl,
      REDIS_QUEUE_URL: redisUrl,
      DATABASE_URL: databaseUrlOf(await database.urlAs(`tapthru_${service}`), service),
      ...settings,
    });
  }
  const [api, redirect, worker] = [await start("api"), await start("redirect"), await start("worker")];

  async function open(shortCode: string): Promise<string | number> {
    const response = await fetch(`${redirect.url}/l/${shortCode}`, { redirect: "manual" });
    return response.headers.get("location") ?? response.status;
  }

  const opens = (shortCode: string, expected: string | number) =>
    vi.waitFor(async () => expect(await open(shortCode)).toBe(expected), WAIT);

  return {
    apiUrl: api.url,
    signUp: () => signUp(api.url),
    open,
    async useLinks(user, store) {
      const page = (asin: string) => `https://www.amazon.${store}/dp/${asin}`;
      const [first, second] = [page("B0ZZ1Y2X3W"), page("B0ZZ9Z9Z9Z")];
      const created = await user(generate.method, generate.path, { url: first });
      const { shortCode } = z.parse(GeneratedLink, await created.json());
      await opens(shortCode, first);
      const edited = await user("PATCH", `/api/links/${shortCode}`, { url: second });
      const { id } = Link.parse(await edited.json());
      await opens(shortCode, second);
      const isRead = "SELECT FROM products WHERE marketplace = $1 AND attempts > 0";
      await vi.waitFor(async () => expect(await database.rows(isRead, [store])).not.toEqual([]), WAIT);
      expect((await user("DELETE", `/api/links/${id}`)).status).toBe(200);
      await opens(shortCode, 410);
    },
    async logOut(user) {
      expect((await user(logout.method, logout.path)).status).toBe(200);
      expect((await user("GET", "/api/links")).status).toBe(401);
    },
    async stop() {
      await Promise.all([api, redirect, worker].map((service) => service.stop()));
    },
  };
}
