import { expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { startApi, startWorld } from "../testing/world.ts";

const { api, ada } = await startWorld();
const replica = await startApi({ REDIS_CACHE_URL: "redis://127.0.0.1:1" }, { replicaOf: api, redisBudgetMs: 250 });

it("a replica without Redis refuses a revoked key with its first request afterwards", async () => {
  const { id, script } = await addKey(api, ada);
  const statuses = () =>
    Promise.all([api, replica].map(async (one) => (await one.request("GET", "/api/links", script)).status));
  expect(await statuses()).toEqual([200, 200]);
  expect((await api.request("DELETE", `/api/keys/${id}`, ada.browser)).status).toBe(200);
  expect(await statuses()).toEqual([401, 401]);
});
