import { afterAll, expect, it } from "vitest";
import { startFirebaseApi } from "../testing/firebase-api.ts";
import { accountExists } from "../testing/test-accounts.ts";
import { createLink } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const available = await startApi();
const api = await startFirebaseApi("127.0.0.1:1", available);
afterAll(() => api.stop());

it("deletes an account while the identity provider is unavailable, and its identity afterwards", async () => {
  const user = await signUpUser(available);
  await createLink(api, user.browser);
  const response = await api.request("DELETE", "/api/account", user.browser, { email: user.email });
  expect(response.status).toBe(200);
  expect(await api.query("SELECT FROM users")).toEqual([]);
  expect(await api.query("SELECT FROM links")).toEqual([]);

  await api.context.accountDeletions.retryUnfinished();
  expect(await accountExists(api, user)).toBe(true);

  await available.context.accountDeletions.retryUnfinished();
  expect(await accountExists(api, user)).toBe(false);
});
