import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { signUp, type UserRequest } from "@tapthru/stack/testing/callers";
import { type ServiceProcess, startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it, vi } from "vitest";

const KILLS = 3;
const CLIENTS = 4;
const LINKS_PER_ROUND = 40;

const database = await createThrowawayDatabase();
afterAll(() => database.drop());

async function startApi(): Promise<ServiceProcess> {
  const redisUrl = process.env.TEST_REDIS_URL;
  return startService("api", {
    REDIS_CACHE_URL: redisUrl,
    REDIS_QUEUE_URL: redisUrl,
    RATE_LIMITS: "off",
    DATABASE_URL: await database.urlAs("tapthru_api"),
  });
}

/** Creates, changes and deletes links, until the api is killed. */
async function changeLinks(request: UserRequest): Promise<void> {
  for (let n = 1; ; n++) {
    const url = `https://www.amazon.de/dp/B0${String(n).padStart(8, "0")}`;
    const created = await request("POST", "/api/links", { url, nickname: "first" });
    const { id, shortCode } = (await created.json()) as { id: number; shortCode: string };
    await request("PATCH", `/api/links/${shortCode}`, { nickname: "second" });
    await request("PATCH", `/api/links/${shortCode}`, { labels: [`Label ${n % 5}`] });
    if (n % 3 === 0) await request("DELETE", `/api/links/${id}`);
  }
}

const countLinks = async () =>
  Number((await database.rows("SELECT coalesce(max(id), 0) AS count FROM links"))[0]?.count);

it("each change has one row and each row its change, although the api is killed while it changes links", async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const api = await startApi();
    const before = await countLinks();
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => signUp(api.url)));
    const ended = Promise.allSettled(clients.map(changeLinks));
    const hasChanged = async () => expect(await countLinks()).toBeGreaterThan(before + LINKS_PER_ROUND);
    await vi.waitFor(hasChanged, { timeout: 120_000, interval: 20 });
    await api.stop();
    await ended;
  }
  const [counts] = await database.rows(`
    WITH recorded AS (
      SELECT object_id::bigint AS id,
        count(*) FILTER (WHERE action = 'link.created') AS created,
        count(*) FILTER (WHERE action = 'link.deleted') AS deleted,
        count(*) FILTER (WHERE action = 'link.changed' AND after ? 'nickname') AS named,
        count(*) FILTER (WHERE action = 'link.changed' AND after ? 'labels_added') AS labelled
      FROM audit_log WHERE action LIKE 'link.%' GROUP BY object_id
    )
    SELECT count(*)::int AS all,
      count(*) FILTER (WHERE created = 1)::int AS created,
      count(*) FILTER (WHERE deleted = (link.id IS NULL)::int)::int AS deleted,
      count(*) FILTER (WHERE link.id IS NULL OR named = (link.nickname = 'second')::int)::int AS named,
      count(*) FILTER (
        WHERE link.id IS NULL OR labelled = (SELECT count(*) FROM link_labels WHERE link_id = link.id)
      )::int AS labelled
    FROM recorded FULL JOIN links AS link USING (id)
  `);
  const { all } = counts ?? {};
  expect(all).toBeGreaterThan(KILLS * LINKS_PER_ROUND);
  expect(counts).toEqual({ all, created: all, deleted: all, named: all, labelled: all });
}, 400_000);
