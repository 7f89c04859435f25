import { ROWS } from "@tapthru/core/events";
import { ERRORS } from "@tapthru/proto/errors";
import { describe, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { prepareCalls } from "../testing/prepared-calls.ts";
import { newEmail, PASSWORD, signIn } from "../testing/test-accounts.ts";
import { addWorkingDomain, newHost } from "../testing/test-domains.ts";
import { emailedToken } from "../testing/test-emails.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { WAYS_IN } from "./ways-in.ts";

const { api, eve } = await startWorld({ SMTP_FROM: "hello@tapthru.example" });
const { prepare } = prepareCalls(api);

/** References to an account that let no other person act for it or learn of it. */
const DATA: Record<string, string> = {
  "account.userId": "the password, which a reset replaces, and logins at a provider that has confirmed the address",
  "domains.user_id": "a host gets the visitors of the links on it alone; a reset deletes it",
  "members.member_id": "a way into the account of another user",
  ...Object.fromEntries(
    [
      "all_links",
      "channels",
      "earlier_channel_tags",
      "earnings_imports",
      "earnings_products",
      "earnings_rates",
      "labels",
      "onelink_stores",
      "routing_settings",
      "store_checks",
    ].map((table) => [`${table}.user_id`, "what the account has"]),
  ),
};

const columns = [...WAYS_IN.users, ...WAYS_IN.identity].map(([table, column]) => `${table}.${column}`);

async function references(): Promise<{ reference: string; kind: string | null }[]> {
  const rows = await api.query(`
    SELECT relname || '.' || attname AS reference, relname
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
    WHERE contype = 'f' AND confrelid IN ('users'::regclass, 'identity."user"'::regclass)
  `);
  return rows.map(({ reference, relname }) => ({
    reference: String(reference),
    kind: Object.entries(ROWS).find(([, { table }]) => table === relname)?.[0] ?? null,
  }));
}

async function addWaysIn(account: TestUser): Promise<void> {
  const { id } = account.user;
  await addMember(api, { account: id, member: eve.user.id }, "owner");
  await api.query(`
    INSERT INTO amazon_ads_connections (user_id, encrypted_refresh_token) VALUES (${id}, 's');
    INSERT INTO api_keys (user_id, account_id, name, key_hash, start, scopes) VALUES
      (${id}, NULL, 'Own', sha256('own ${id}'), 'tt_own', '{links:read}'),
      (${eve.user.id}, ${id}, 'Of Eve', sha256('eve ${id}'), 'tt_eve', '{links:read}');
    INSERT INTO labels (user_id, name, name_key, colour) VALUES (${id}, 'A', 'a', 'red');
    INSERT INTO shared_pages (user_id, label_id, name, token_hash, ends_on)
      SELECT user_id, id, 'Shared', sha256('shared ${id}'), 'tomorrow' FROM labels WHERE user_id = ${id};
    INSERT INTO webhooks (user_id, url, events, encrypted_secret) VALUES (${id}, 'https://a.example', '{link.created}', 's');
    INSERT INTO identity.passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp", host)
      VALUES ('${account.uid}', 'k', '${account.uid}', '${account.uid}', 0, 'd', false, 'h');
    INSERT INTO identity."twoFactor" (id, secret, "backupCodes", "userId") VALUES ('${account.uid}', 's', 'c', '${account.uid}');
    UPDATE identity."user" SET "twoFactorEnabled" = true WHERE id = '${account.uid}'
  `);
}

async function rowsOf({ user, uid }: TestUser): Promise<string[]> {
  const count = ([table, column]: readonly [string, string], key: string | number) =>
    `SELECT '${table}.${column}' AS name FROM ${table} WHERE "${column}" = '${key}'`;
  const statements = [
    ...WAYS_IN.users.map((way) => count(way, user.id)),
    ...WAYS_IN.identity.map(([table, column]) => count([`identity."${table}"`, column], uid)),
  ];
  const rows = await api.query(statements.join(" UNION "));
  return rows.map(({ name }) => String(name).replace(/^identity\."(\w+)"/, "$1"));
}

const unconfirmed = async (email = newEmail()): Promise<TestUser> => {
  const user = await signUpUser(api, email);
  await api.query(`
    UPDATE identity."user" SET "emailVerified" = false WHERE id = '${user.uid}';
    UPDATE users SET email_is_verified = false WHERE id = ${user.user.id}
  `);
  return user;
};

async function resetPassword({ email }: TestUser): Promise<string> {
  await api.post("/api/auth/password-reset", { email });
  const token = await emailedToken(api, email, "reset-password");
  const password = "battery staple";
  expect((await api.request("PUT", "/api/auth/password-reset", {}, { token, password })).status).toBe(200);
  return password;
}

it("each reference to an account is a way in, or data", async () => {
  const found = (await references()).map(({ reference }) => reference);
  expect(found.filter((reference) => DATA[reference] === undefined).sort()).toEqual(columns.toSorted());
});

describe("before the address is confirmed", () => {
  const gated = DOCUMENTED_CALLS.filter(({ call }) => call.needsConfirmedEmail);

  it("each call that makes a way in is refused", async () => {
    const kinds = (await references()).flatMap(({ reference, kind }) => (columns.includes(reference) ? kind : []));
    const making = DOCUMENTED_CALLS.filter(({ call: { records = [] } }) =>
      [records].flat().some((action) => kinds.some((kind) => action === `${kind}.created`)),
    );
    expect(making.length).toBe(5);
    expect(making.filter(({ call }) => !call.needsConfirmedEmail)).toEqual([]);
  });

  it.each(gated)("$name says why it is refused", async (documented) => {
    const user = await unconfirmed();
    const { params, headers, ...prepared } = await prepare(documented, user);
    const response = await sendExample(api, prepared, { ...user.browser, ...headers }, params);
    expect([response.status, await response.text()]).toEqual([403, ERRORS["email-not-confirmed"].message]);
  });
});

describe("a reset of the password of an unconfirmed account", () => {
  it("deletes what names who earns by new links, and where these are", async () => {
    const creator = await unconfirmed();
    const { id } = creator.user;
    const host = newHost();
    await addWorkingDomain(api, creator, { host, isDefault: true });
    await api.query(`
      INSERT INTO channels (user_id, name, name_key) VALUES (${id}, 'Blog', 'blog');
      INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
        SELECT channels.id, user_id, 'de', 'evil' || channels.id || '-21' FROM channels WHERE user_id = ${id};
      INSERT INTO earlier_channel_tags (user_id, marketplace, tag, channel_id)
        SELECT user_id, 'com', 'evil-20', channels.id FROM channels WHERE user_id = ${id} AND is_default;
      UPDATE channels SET fallback_url = 'https://www.amazon.de/s?k=a&tag=evil-21' WHERE user_id = ${id};
      UPDATE users SET displayed_name = 'Evil', shows_disclosure = true WHERE id = ${id}
    `);
    await resetPassword(creator);
    const left = await api.query(`
      SELECT tag AS name FROM channel_tags WHERE user_id = ${id} UNION SELECT tag FROM earlier_channel_tags WHERE user_id = ${id}
      UNION SELECT host FROM domains WHERE user_id = ${id} UNION SELECT displayed_name FROM users WHERE id = ${id}
      UNION SELECT fallback_url FROM channels WHERE user_id = ${id}
    `);
    expect(left).toEqual([{ name: null }]);
    const [owner] = await api.query(`SELECT max(revision) AS last FROM link_changes WHERE short_code = '~${id}'`);
    expect(owner).toEqual({ last: 4 });
    const { login } = await signIn(api, creator, "battery staple");
    const body = { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W", usesChannelTag: true };
    const link = await (await api.request("POST", "/api/links", login, body)).json();
    expect(link).toMatchObject({ webUrl: body.url, tagSource: "own" });
    expect(JSON.stringify(link)).not.toContain(host);
  });

  it("ends every way in, and confirms the address", async () => {
    const creator = await unconfirmed();
    await addWaysIn(creator);
    const other = newEmail();
    await api.request("PUT", "/api/auth/email", creator.browser, { email: other });
    expect((await rowsOf(creator)).sort()).toEqual(columns.toSorted());
    const password = await resetPassword(creator);
    expect(await rowsOf(creator)).toEqual([]);
    expect((await api.request("GET", "/api/links", creator.browser)).status).toBe(401);
    expect((await api.request("GET", "/api/links", { ...eve.browser, ...inAccountOf(creator) })).status).toBe(403);
    const change = { token: await emailedToken(api, other, "change-email"), password };
    expect((await api.request("PUT", "/api/auth/email-confirmation", {}, change)).status).toBe(410);
    await expect(signIn(api, creator, PASSWORD)).rejects.toThrow(ERRORS["wrong-credentials"].message);
    const { login } = await signIn(api, creator, password);
    const key = { name: "Key", scopes: ["links:read"] };
    expect((await api.post("/api/keys", key, login)).status).toBe(201);
  });
});
