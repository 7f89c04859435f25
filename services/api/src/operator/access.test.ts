import { ERRORS } from "@tapthru/proto/errors";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newBrowser } from "../testing/browser-headers.ts";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { addKey, MEMBER_SCOPES } from "../testing/test-keys.ts";
import { createLink } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

let params: Record<string, string>;
const { api, ada: operator, eve: member } = await startWorld({ TLS: "on" });
beforeAll(async () => {
  await makeOperator(api, operator);
  const other = await signUpUser(api);
  const shortCode = await createLink(api, other.browser);
  const { id } = other.user;
  await api.query(`
    INSERT INTO reports (short_code, reason) VALUES ('${shortCode}', 'spam');
    INSERT INTO domains (user_id, host, proof) VALUES (${id}, 'go.anna.example', 'x');
    INSERT INTO invitations (id, token_hash, expires_at) VALUES (${id}, sha256('x'), now() + interval '1 day');
  `);
  params = { id: String(id), userId: String(id), host: "go.anna.example", shortCode };
});
beforeEach(() => api.query("TRUNCATE api_keys"));

const calls = DOCUMENTED_CALLS.filter(({ call }) => call.path.startsWith("/api/operator/") || call.tag === "Operator");

/** What gives access, or cannot be undone. */
const NOT_WITH_KEY = ["confirmUserEmail", "resetUserTwoFactor", "deleteUser"];

describe.each(calls)("$name", ({ name, call, access }) => {
  const reply = async (headers: Record<string, string>) => {
    const response = await sendExample(api, { call }, headers, params);
    return [response.status, await response.text()];
  };

  const needsSession = NOT_WITH_KEY.includes(name);

  it("is documented with the scope of operators alone, or none", () => {
    expect(access).toEqual(needsSession ? [["session"]] : [["session"], ["operator"]]);
  });

  it("is refused without a login", async () => {
    expect(await reply(newBrowser(api))).toEqual([401, ERRORS["login-required"].message]);
  });

  it("does not exist for a member, also with a key that has every scope", async () => {
    const { id, script } = await addKey(api, member);
    await api.query(`UPDATE api_keys SET scopes = '{${API_KEY_SCOPES.join(",")}}' WHERE id = ${id}`);
    for (const headers of [member.browser, script, { ...operator.browser, ...script }]) {
      expect(await reply(headers)).toEqual([404, ERRORS["not-found"].message]);
    }
  });

  it("is refused to a key of an operator without the scope", async () => {
    const { script } = await addKey(api, operator, MEMBER_SCOPES);
    expect(await reply(script)).toEqual([403, "This API key does not have the scope operator."]);
  });

  it("is open to an operator, by session and by a key with the scope, if keys may do it", async () => {
    const { script } = await addKey(api, operator, ["operator"]);
    for (const headers of needsSession ? [operator.browser] : [operator.browser, script]) {
      const refused = [[401], [403], [404, ERRORS["not-found"].message]];
      const [status, text] = await reply(headers);
      expect(refused).not.toContainEqual(status === 404 ? [status, text] : [status]);
      await api.query(`INSERT INTO invitations (id, token_hash, expires_at)
        VALUES (${params.id}, sha256('x'), now() + interval '1 day') ON CONFLICT DO NOTHING`);
    }
  });
});

it("a user who is no longer an operator, or is disabled, is refused at once", async () => {
  const user = await signUpUser(api);
  await makeOperator(api, user);
  const { script } = await addKey(api, user, ["operator"]);
  const status = async (headers: Record<string, string>) =>
    (await api.request("GET", "/api/operator/users", headers)).status;
  expect([await status(user.browser), await status(script)]).toEqual([200, 200]);
  await api.query(`UPDATE users SET is_operator = false WHERE id = ${user.user.id}`);
  expect([await status(user.browser), await status(script)]).toEqual([404, 404]);
  await api.query(`UPDATE users SET is_operator = true, state = 'disabled' WHERE id = ${user.user.id}`);
  expect([await status(user.browser), await status(script)]).toEqual([401, 401]);
});

it("only operators can give a key the scope, or receive reports by webhook", async () => {
  const key = { name: "console", scopes: ["operator"] };
  const webhook = { url: "https://receiver.example/", events: ["link.reported"] };
  for (const [path, body, field] of [
    ["/api/keys", key, "scopes"],
    ["/api/webhooks", webhook, "events"],
  ] as const) {
    const refused = await api.post(path, body, member.browser);
    expect([refused.status, await refused.text()]).toEqual([422, `Missing or malformed field: ${field}`]);
    expect((await api.post(path, body, operator.browser)).status).toBe(201);
  }
  const created = await api.post("/api/webhooks", { ...webhook, events: ["link.created"] }, member.browser);
  const { id } = (await created.json()) as { id: number };
  const changed = await api.request("PATCH", `/api/webhooks/${id}`, member.browser, { events: webhook.events });
  expect([changed.status, await changed.text()]).toEqual([422, "Missing or malformed field: events"]);
});
