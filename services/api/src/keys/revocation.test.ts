import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addKey } from "../testing/test-keys.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let api: TestApi;
let replica: TestApi;
let ada: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  replica = await startTestApi({ REDIS_CACHE_URL: "redis://127.0.0.1:1" }, { replicaOf: api, redisBudgetMs: 250 });
  ada = await signUpUser(api);
});
afterAll(async () => {
  await replica.stop();
  await api.stop();
});

it("a replica without Redis refuses a revoked key with its first request afterwards", async () => {
  const { id, script } = await addKey(api, ada);
  const statuses = () =>
    Promise.all([api, replica].map(async (one) => (await one.request("GET", "/api/links", script)).status));
  expect(await statuses()).toEqual([200, 200]);
  expect((await api.request("DELETE", `/api/keys/${id}`, ada.browser)).status).toBe(200);
  expect(await statuses()).toEqual([401, 401]);
});
