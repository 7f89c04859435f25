import { createWebhookSecrets } from "@tapthru/core/platform/cipher";
import { ERRORS } from "@tapthru/proto/errors";
import { WEBHOOKS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createWebhook, Webhook, WebhookDelivery } from "@tapthru/proto/webhooks";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { TOKEN_RECHECK_INTERVAL_MS } from "../accounts/account-checks.ts";
import { limitRowsPerStatement } from "../testing/row-limit.ts";
import { deleteAccount } from "../testing/test-accounts.ts";
import { startTestApi } from "../testing/test-api.ts";
import { addUserLinks, createLink } from "../testing/test-links.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { createWebhookAccounts } from "./webhook-accounts.ts";
import { WEBHOOK_LOG_MAX_COUNT } from "./webhooks.ts";

const KEY = "a-key-that-encrypts-webhook-secrets-of-tests";
const secrets = createWebhookSecrets([KEY]);
const VALID = { url: "https://hooks.example/in", events: ["link.created"] };

const { api, ada, eve } = await startWorld({ WEBHOOK_KEYS: [KEY] });
beforeEach(() => api.query("TRUNCATE all_links, webhooks, account_deletions CASCADE"));

const create = (body: unknown, user: Pick<TestUser, "browser"> = ada) => api.post("/api/webhooks", body, user.browser);
const send = (method: string, path: string, body?: unknown, user = ada) =>
  api.request(method, `/api/webhooks${path}`, user.browser, body);

async function created(body: unknown = VALID, user = ada) {
  const response = await create(body, user);
  expect(response.status).toBe(201);
  return createWebhook.replies[201].parse(await response.json());
}
const list = async (user = ada) => z.array(Webhook).parse(await (await send("GET", "", undefined, user)).json());
const deliveriesOf = async (id: number, query = "") =>
  z.array(WebhookDelivery).parse(await (await send("GET", `/${id}/deliveries${query}`)).json());

describe("POST /api/webhooks", () => {
  it("returns the secret once, and stores it encrypted for its user", async () => {
    const { secret, ...webhook } = await created({
      url: " https://HOOKS.example/in#part ",
      events: ["link.deleted", "link.created", "link.created"],
    });
    expect(webhook).toMatchObject({
      url: VALID.url,
      events: ["link.created", "link.deleted"],
      state: "works",
      failingSince: null,
      previousSecretUntil: null,
    });
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(await list()).toEqual([webhook]);
    const [row] = await api.query("SELECT * FROM webhooks");
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    expect(secrets.decrypt(String(row?.encrypted_secret), ada.user.id)).toBe(secret);
    expect(() => secrets.decrypt(String(row?.encrypted_secret), eve.user.id)).toThrow();
    expect(JSON.stringify(api.lines)).not.toContain(secret.slice(6));
  });

  it("webhooks of one registered domain have one receiver, whatever their hosts", async () => {
    const receivers = async (urls: string[]) => {
      for (const url of urls) await created({ ...VALID, url });
      return (await api.query("SELECT DISTINCT receiver FROM webhooks ORDER BY 1")).map(({ receiver }) => receiver);
    };
    const hosts = ["hooks.acme.co.uk", "a.b.acme.co.uk", "ACME.co.uk"];
    expect(await receivers(hosts.map((host) => `https://${host}/x`))).toEqual(["acme.co.uk"]);
    expect(await receivers(["https://anna.github.io/x", "https://ben.github.io/x", "https://other.co.uk"])).toEqual([
      "acme.co.uk",
      "anna.github.io",
      "ben.github.io",
      "other.co.uk",
    ]);
  });

  it("creates 10 webhooks at most, also at the same time", async () => {
    await created(VALID, eve);
    const responses = await Promise.all(Array.from({ length: WEBHOOKS_MAX_COUNT + 3 }, () => create(VALID)));
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(WEBHOOKS_MAX_COUNT).fill(201),
      ...Array(3).fill(409),
    ]);
  });

  it("accepts servers on this machine only in local development, and needs WEBHOOK_KEYS", async () => {
    await created({ ...VALID, url: "http://localhost:3000/in" });
    const demo = await startTestApi({ TAPTHRU_ENV: "demo", WEBHOOK_KEYS: null }, { replicaOf: api });
    const unavailable = await demo.post("/api/webhooks", VALID, ada.browser);
    expect([unavailable.status, await unavailable.text()]).toEqual([503, ERRORS["webhooks-not-configured"].message]);
    await demo.stop();
    const other = await startTestApi({ TAPTHRU_ENV: "demo", WEBHOOK_KEYS: [KEY] }, { replicaOf: api });
    const local = { ...VALID, url: "http://localhost:3000/in" };
    expect((await other.post("/api/webhooks", local, ada.browser)).status).toBe(422);
    await other.stop();
  });
});

describe("a webhook that people read", () => {
  it("a webhook can be an email to the user's confirmed address, on a site that sends emails", async () => {
    const toEmail = { ...VALID, url: "mailto:" };
    expect((await create(toEmail)).status).toBe(422);
    const mailing = await startTestApi({ WEBHOOK_KEYS: [KEY], SMTP_FROM: "mail@t.example" }, { replicaOf: api });
    const createAt = () => mailing.post("/api/webhooks", toEmail, ada.browser);
    await api.query("UPDATE users SET email_is_verified = false");
    expect((await createAt()).status).toBe(422);
    await api.query(`UPDATE users SET email_is_verified = true WHERE id = ${ada.user.id}`);
    expect((await createAt()).status).toBe(201);
    await mailing.stop();
    expect(await list()).toMatchObject([{ url: "mailto:" }]);
    expect(await api.query("SELECT object FROM audit_log ORDER BY id DESC LIMIT 1")).toEqual([{ object: "email" }]);
  });

  it("a webhook can be a chat, of which only the host is shown", async () => {
    const address = "https://api.telegram.org/bot1:secret/sendMessage?chat_id=5";
    const { url } = await created({ ...VALID, url: address });
    expect(url).toBe("https://api.telegram.org");
    const rows = await api.query("SELECT * FROM webhooks");
    expect(JSON.stringify([await list(), api.lines, rows])).not.toContain("secret/");
    expect(secrets.decrypt(String(rows[0]?.encrypted_url), ada.user.id)).toBe(address);
    expect(await api.query("SELECT object FROM audit_log ORDER BY id DESC LIMIT 1")).toEqual([
      { object: "api.telegram.org" },
    ]);
  });

  it("has quiet hours until they are removed, and a change of them ends the pause", async () => {
    const { id } = await created();
    await api.query("UPDATE webhooks SET paused_until = now() + interval '1 hour'");
    const quietHours = { from: "22:00", to: "07:30", timeZone: "Europe/Berlin" };
    expect(await (await send("PATCH", `/${id}`, { quietHours })).json()).toMatchObject({ quietHours });
    expect(await api.query("SELECT paused_until FROM webhooks")).toEqual([{ paused_until: null }]);
    await send("PATCH", `/${id}`, { enabled: true });
    expect(await list()).toMatchObject([{ quietHours }]);
    for (const from of ["24:00", "7:00", "22:00:00"]) {
      expect((await send("PATCH", `/${id}`, { quietHours: { ...quietHours, from } })).status).toBe(422);
    }
    await send("PATCH", `/${id}`, { quietHours: null });
    expect(await list()).toMatchObject([{ quietHours: null }]);
  });

  it("has the quiet hours with which it was created, or none", async () => {
    const quietHours = { from: "22:00", to: "07:30", timeZone: "Europe/Berlin" };
    expect(await created({ ...VALID, quietHours })).toMatchObject({ quietHours });
    expect((await send("POST", "", { ...VALID, quietHours: { ...quietHours, from: "24:00" } })).status).toBe(422);
    await created();
    const none = await api.query("SELECT count(*)::integer FROM webhooks WHERE quiet_hours IS NULL");
    expect(none).toEqual([{ count: 1 }]);
  });
});

it("POST /api/webhooks/{id}/test makes a test due at once, unless the webhook is disabled", async () => {
  const { id } = await created();
  await api.query("UPDATE webhooks SET paused_until = now() + interval '1 hour'");
  const response = await send("POST", `/${id}/test`);
  const test = WebhookDelivery.parse(await response.json());
  expect([response.status, test]).toMatchObject([201, { type: "test", state: "pending" }]);
  expect(await deliveriesOf(id)).toEqual([test]);
  expect(await api.query("SELECT paused_until FROM webhooks")).toEqual([{ paused_until: null }]);
  await send("PATCH", `/${id}`, { enabled: false });
  expect((await send("POST", `/${id}/test`)).status).toBe(409);
});

describe("PATCH /api/webhooks/{id}", () => {
  it("changes events, disables and enables", async () => {
    const { id } = await created();
    await api.query("UPDATE webhooks SET failing_since = now(), failure_count = 3, paused_until = now()");
    expect(await list()).toMatchObject([{ state: "failing", failingSince: expect.any(String) }]);
    await send("PATCH", `/${id}`, { events: ["link.deleted"] });
    await send("PATCH", `/${id}`, { enabled: false });
    expect(await list()).toMatchObject([{ state: "disabled", events: ["link.deleted"] }]);
    const enabled = await send("PATCH", `/${id}`, { enabled: true });
    expect(await enabled.json()).toMatchObject({ state: "works", failingSince: null });
    expect(await api.query("SELECT failure_count, paused_until FROM webhooks")).toEqual([
      { failure_count: 0, paused_until: null },
    ]);
  });
});

describe("POST /api/webhooks/{id}/secret", () => {
  it("keeps the secret before for 24 hours, and refuses another renewal until then", async () => {
    const { id, secret: first } = await created();
    const renewed = await send("POST", `/${id}/secret`);
    const { secret: second, ...webhook } = createWebhook.replies[201].parse(await renewed.json());
    expect(second).not.toBe(first);
    const overlapMs = Date.parse(webhook.previousSecretUntil ?? "") - Date.now();
    expect(overlapMs / 3_600_000).toBeCloseTo(24, 1);
    const results = await Promise.all([1, 2].map(() => send("POST", `/${id}/secret`)));
    for (const response of results) {
      expect([response.status, await response.text()]).toEqual([409, ERRORS["webhook-secret-renewed"].message]);
    }
    const [row] = await api.query("SELECT * FROM webhooks");
    expect(secrets.decrypt(String(row?.encrypted_previous_secret), ada.user.id)).toBe(first);
    expect(secrets.decrypt(String(row?.encrypted_secret), ada.user.id)).toBe(second);
    await api.query("UPDATE webhooks SET previous_secret_until = now()");
    expect(await list()).toMatchObject([{ previousSecretUntil: null }]);
    expect((await send("POST", `/${id}/secret`)).status).toBe(200);
  });
});

describe("GET /api/webhooks/{id}/deliveries", () => {
  it("filters by state, and lists 100 at most", async () => {
    const { id } = await created();
    await api.query(`
      INSERT INTO webhook_deliveries (webhook_id, type, link_id, data, next_attempt_at, delivered_at)
      SELECT ${id}, 'link.created', n, '{}', CASE WHEN n > 150 THEN now() END,
        CASE WHEN n <= 3 THEN now() END
      FROM generate_series(1, 153) n
    `);
    expect(await deliveriesOf(id)).toHaveLength(WEBHOOK_LOG_MAX_COUNT);
    expect(await deliveriesOf(id, "?state=pending")).toHaveLength(3);
    expect(await deliveriesOf(id, "?state=delivered")).toHaveLength(3);
    expect(await deliveriesOf(id, "?state=failed")).toHaveLength(WEBHOOK_LOG_MAX_COUNT);
    expect((await send("GET", `/${id}/deliveries?state=x`)).status).toBe(400);
  });
});

describe("POST /api/webhooks/{id}/deliveries/{id}/replay", () => {
  it("makes an event due again, with attempts counted from zero", async () => {
    const { id } = await created();
    await createLink(api, ada.browser);
    await api.query(
      `UPDATE webhook_deliveries SET next_attempt_at = NULL, delivered_at = now(), attempt_count = 4,
         last_attempt_at = now(), response_status = 200`,
    );
    const [before] = await deliveriesOf(id);
    expect(before).toMatchObject({ state: "delivered", attempts: 4 });
    const response = await send("POST", `/${id}/deliveries/${before?.id}/replay`);
    expect(response.status).toBe(200);
    const replayed = WebhookDelivery.parse(await response.json());
    expect(replayed).toMatchObject({ id: before?.id, state: "pending", attempts: 0 });
    expect(await deliveriesOf(id)).toEqual([replayed]);
  });
});

describe("a webhook with many events", () => {
  let owner: TestUser;
  beforeEach(async () => {
    owner = await signUpUser(api);
    await created({ url: VALID.url, events: ["link.created", "link.deleted"] }, owner);
    await addUserLinks(api, owner.user.id, 2_500);
    await limitRowsPerStatement(api, "webhook_deliveries", { inserted: 0, deleted: 1_000 });
  });

  it("deletes a webhook with many events in several statements", async () => {
    const [webhook] = await list(owner);
    expect((await send("DELETE", `/${webhook?.id}`, undefined, owner)).status).toBe(200);
    expect((await send("DELETE", `/${webhook?.id}`, undefined, owner)).status).toBe(404);
    expect(await api.query("SELECT FROM webhook_deliveries")).toEqual([]);
  });

  it("deletes a webhook before the links of its account, which record no more events", async () => {
    const body = { email: owner.email };
    await api.request("DELETE", "/api/account", owner.browser, body);
    expect(await api.query(`SELECT FROM users WHERE id = ${owner.user.id}`)).toEqual([]);
  });
});

describe("the accounts of webhooks", () => {
  let ada: TestUser;
  beforeEach(async () => {
    await api.query("TRUNCATE webhooks CASCADE");
    ada = await signUpUser(api);
    await addWebhook(ada);
  });

  async function addWebhook({ browser }: Pick<TestUser, "browser">): Promise<void> {
    const webhook = { url: "https://hooks.example/in", events: ["link.created"] };
    expect((await api.post("/api/webhooks", webhook, browser)).status).toBe(201);
  }

  const letTimePass = () =>
    api.query(
      `UPDATE webhooks SET account_checked_at = account_checked_at - interval '${TOKEN_RECHECK_INTERVAL_MS} ms'`,
    );
  async function endedOf({ user }: TestUser): Promise<unknown[]> {
    const rows = await api.query(`SELECT account_ended FROM webhooks WHERE user_id = ${user.id}`);
    return rows.map((row) => row.account_ended);
  }
  const check = () => api.context.webhookAccounts.check();

  describe("webhooks of an account", () => {
    it("marks the webhooks of an account that was deleted at the identity provider, and no others", async () => {
      await addWebhook(eve);
      await addWebhook(ada);
      await deleteAccount(api, ada);
      await letTimePass();
      await check();
      expect(await endedOf(ada)).toEqual([true, true]);
      expect(await endedOf(eve)).toEqual([false]);
    });

    it("the webhooks of an account that is enabled again are usable", async () => {
      const identity = { findUsable: async () => new Map() };
      await letTimePass();
      await createWebhookAccounts({ ...api.context, identity }).check();
      expect(await endedOf(ada)).toEqual([true]);
      await letTimePass();
      await check();
      expect(await endedOf(ada)).toEqual([false]);
    });

    it("checks an account again a few minutes after an api was killed during the check", async () => {
      await deleteAccount(api, ada);
      await letTimePass();
      const identity = { findUsable: async () => Promise.reject(new Error("killed")) };
      await createWebhookAccounts({ ...api.context, identity }).check();
      await api.query("UPDATE webhooks SET account_checked_at = account_checked_at - interval '5 minutes'");
      await check();
      expect(await endedOf(ada)).toEqual([true]);
    });

    it("webhooks stay as they are while the provider is unavailable", async () => {
      await letTimePass();
      const requested: (readonly string[])[] = [];
      const identity = {
        async findUsable(uids: readonly string[]) {
          requested.push(uids);
          return "unavailable" as const;
        },
      };
      await createWebhookAccounts({ ...api.context, identity }).check();
      expect(requested).toEqual([[ada.uid]]);
      expect(await endedOf(ada)).toEqual([false]);
    });
  });
});
