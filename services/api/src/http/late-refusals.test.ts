import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { afterEach, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createAccount, newEmail, PASSWORD } from "../testing/test-accounts.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { newBrowser, signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
afterEach(() => void Object.assign(api.requestLimit, { current: MAX_REQUESTS_IN_PROGRESS }));

const signUp = () => {
  const body = { displayName: "Anna", email: newEmail(), password: PASSWORD };
  return api.post("/api/auth/sign-up", body, newBrowser(api));
};

async function logIn() {
  const { email } = await createAccount(api);
  return () => api.post("/api/auth/sign-in", { email, password: PASSWORD }, newBrowser(api));
}

async function logOutEverywhere() {
  const { browser } = await signUpUser(api);
  return () => api.request("DELETE", "/api/sessions", browser);
}

async function asOperator(method: string, path: string, body?: object) {
  const [operator, other] = [await signUpUser(api), await signUpUser(api)];
  await makeOperator(api, operator);
  const address = `/api/operator/users/${other.user.id}/${path}`;
  return () => api.request(method, address, operator.browser, body);
}

it.each([
  ["a sign-up", async () => signUp],
  ["a login", logIn],
  ["a logout everywhere", logOutEverywhere],
  ["the block of a user", () => asOperator("PUT", "state", { state: "blocked" })],
  ["the end of a user's sessions", () => asOperator("DELETE", "sessions")],
])("%s is not refused when it is done and the api has become busy", async (_what, prepare) => {
  const send = await prepare();
  await api.query("BEGIN; LOCK TABLE identity.session");
  const reply = send();
  await eventually(async () => {
    const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'identity.session'::regclass";
    expect(await api.query(waiting)).toHaveLength(1);
  });
  api.requestLimit.current = 0;
  await api.query("COMMIT");
  expect((await reply).status).toBe(200);
});
