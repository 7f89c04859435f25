import { updateUser } from "@tapthru/proto/accounts";
import { roleOf } from "@tapthru/proto/call";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { DOCUMENTED_CALLS, sendExample } from "./testing/documented-calls.ts";
import { addKey } from "./testing/test-keys.ts";
import { addMember, inAccountOf } from "./testing/test-members.ts";
import { startWorld } from "./testing/world.ts";

const { api, ada, eve } = await startWorld({ TAPTHRU_ENV: "demo" });
beforeEach(() => api.query("TRUNCATE webhooks, members CASCADE"));

const ADDRESS = /url|uri|host|email|mail|address$|endpoint|target/i;

/** Addresses to which nothing is sent later. */
const NOT_SENT_TO: Record<string, string> = {
  "createLink.url": "a page of Amazon",
  "createLinks.url": "a page of Amazon",
  "findKnownLinks.url": "compared with links of the user",
  "generate.url": "a page of Amazon",
  "resolveLink.url": "a page of Amazon",
  "updateLink.url": "a page of Amazon",
  "updateDomain.rootUrl": "a page of Amazon",
  "createChannel.fallbackUrl": "browsers of visitors open it",
  "createLink.fallbackUrl": "browsers of visitors open it",
  "createLinks.fallbackUrl": "browsers of visitors open it",
  "updateChannel.fallbackUrl": "browsers of visitors open it",
  "updateLink.fallbackUrl": "browsers of visitors open it",
  "createLink.imageUrl": "previews name it: a picture of Amazon",
  "createLinks.imageUrl": "previews name it: a picture of Amazon",
  "updateLink.imageUrl": "previews name it: a picture of Amazon",
  "allowConnection.redirectUri": "the user's own browser opens it, with the code",
  "addDomain.host": "the user's own name, of which the DNS is checked",
  "createUser.email": "the caller's own address, which the login proves",
  "createInvitation.email": "one email, by operators",
  "deleteAccount.email": "compared with the caller's own",
  "updateUser.weeklyEmail": "a switch: the email goes to the user's own confirmed address",
};

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)];
}
const jsonSchema = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

const addressFields = DOCUMENTED_CALLS.flatMap((documented) => {
  const fields = new Set(
    documented.call.body ? fieldsOf(jsonSchema(documented.call.body)).filter((name) => ADDRESS.test(name)) : [],
  );
  return [...fields].map((field) => ({ ...documented, field, path: `${documented.name}.${field}` }));
});
const sending = addressFields.filter(({ path }) => NOT_SENT_TO[path] === undefined);

it("every exempt address belongs to a call", () => {
  expect(Object.keys(NOT_SENT_TO).filter((path) => !addressFields.some((field) => field.path === path))).toEqual([]);
});

const resources = new Set(sending.map(({ call }) => call.tag));
const lasting = DOCUMENTED_CALLS.filter(
  ({ call }) => call.method !== "GET" && (resources.has(call.tag) || call.path === updateUser.path),
);

it.each(lasting)(
  "$name, which starts or changes what is sent later, is for logins of owners only",
  async (documented) => {
    const { script } = await addKey(api, ada);
    expect((await sendExample(api, documented, script)).status).toBe(403);
    // The weekly email has no other recipient.
    const refused = roleOf(documented.call) === "owner" ? 403 : 400;
    for (const role of ["viewer", "editor"] as const) {
      await api.query("DELETE FROM members");
      await addMember(api, { account: ada.user.id, member: eve.user.id }, role);
      const response = await sendExample(api, documented, { ...eve.browser, ...inAccountOf(ada) });
      expect([role, response.status]).toEqual([role, refused]);
    }
  },
);

describe.each(sending)("the address $path", ({ field, ...documented }) => {
  const { call } = documented;
  const send = (address: string) => {
    const body = JSON.parse(JSON.stringify(call.example.body), (name, value) => (name === field ? address : value));
    return sendExample(api, { call: { ...call, example: { ...call.example, body } } }, ada.browser);
  };

  it.each([
    "http://hooks.example/",
    "https://10.0.0.1/x",
    "https://localhost/",
    "https://hooks.example:8443/",
    "https://anna@hooks.example/",
    "https://[::1]/",
    "ftp://hooks.example/",
    "mailto:eve@t.example",
  ])("is not %s", async (address) => {
    expect((await send(address)).status).toBe(422);
  });

  it("is stored without the secret of a chat", async () => {
    const secret = "secret-of-the-chat";
    const response = await send(`https://hooks.slack.com/services/T/B/${secret}`);
    expect([response.ok, await response.text()]).toEqual([true, expect.not.stringContaining(secret)]);
    const tables = await api.query(`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'identity')`);
    expect(tables.length).toBeGreaterThan(40);
    for (const { name } of tables) {
      expect([name, await api.query(`SELECT FROM ${name} AS t WHERE strpos(t::text, '${secret}') > 0`)]).toEqual([
        name,
        [],
      ]);
    }
  });

  it("shows on its page how sending failed", () => {
    const shown = DOCUMENTED_CALLS.filter(
      (other) => other.call.tag === call.tag && other.call.method === "GET",
    ).flatMap((other) => Object.values(other.call.replies).flatMap((reply) => fieldsOf(jsonSchema(reply))));
    expect(shown).toEqual(expect.arrayContaining(["failingSince", "disabledReason", "error", "responseStatus"]));
  });
});
