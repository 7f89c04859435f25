import { createTcpProxy, type TcpProxy } from "@tapthru/runtime/testing/tcp-proxy";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findAccount } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { createLink } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let proxy: TcpProxy;
let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  proxy = await createTcpProxy(`http://${process.env.TEST_FIREBASE_EMULATOR_HOST}`);
  api = await startTestApi({ FIREBASE_AUTH_EMULATOR_HOST: new URL(proxy.url).host });
  user = await signUpUser(api);
  await createLink(api, user.browser);
});
afterAll(() => api.stop());

it("deletes an account while the identity provider is unavailable, and its identity afterwards", async () => {
  await proxy.refuse();
  const response = await api.request("DELETE", "/api/account", user.browser, { email: user.email });
  expect(response.status).toBe(200);
  expect(await api.query("SELECT FROM users")).toEqual([]);
  expect(await api.query("SELECT FROM links")).toEqual([]);
  expect(await findAccount(user)).not.toBeNull();

  await api.context.accountDeletions.retryUnfinished();
  expect(await findAccount(user)).not.toBeNull();

  await proxy.accept();
  await api.context.accountDeletions.retryUnfinished();
  expect(await findAccount(user)).toBeNull();
});
