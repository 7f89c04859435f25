import type { CallName } from "@tapthru/proto/calls";
import { createLink } from "@tapthru/proto/create-links";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "./testing/documented-calls.ts";
import { prepareCalls } from "./testing/prepared-calls.ts";
import { addKey } from "./testing/test-keys.ts";
import { connectMcp, MCP_INPUTS } from "./testing/test-mcp.ts";
import { makeOperator } from "./testing/test-operator.ts";
import { signUpUser } from "./testing/test-user.ts";
import { startOwnAmazon, startWorld } from "./testing/world.ts";

const amazon = await startOwnAmazon();
const { api } = await startWorld({ TLS: "on", EGRESS_STAND_IN_URL: amazon.url });
const { prepare } = prepareCalls(api);

/** From now on each committed transaction that changes a row leaves one in `steps`. */
beforeAll(() =>
  api.query(`
    CREATE TABLE steps (transaction xid8 PRIMARY KEY);
    CREATE FUNCTION add_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
      -- That a key was used is saved apart.
      IF TG_TABLE_NAME <> 'api_keys' OR TG_OP <> 'UPDATE' THEN
        INSERT INTO steps VALUES (pg_current_xact_id()) ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    DO $$ DECLARE changed regclass; BEGIN
      FOR changed IN SELECT oid FROM pg_class
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'steps'
          AND relnamespace IN ('public'::regnamespace, 'identity'::regnamespace) LOOP
        EXECUTE format('CREATE TRIGGER zz_steps AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW
          EXECUTE FUNCTION add_step()', changed);
      END LOOP;
    END $$
  `),
);

/** Calls that change rows in several transactions, why, and what becomes of a failure between them. */
const SEVERAL: Partial<Record<CallName, string>> = {
  deleteAccount:
    "the request is one transaction, after which the account is closed; what it had is deleted until nothing is left",
  createLinks: "labels that the user lacks are created first, and stay if a link that was to have them is refused",
  deleteUser: "as deleteAccount",
  createEarningsImport: "a file is stored as it arrives; what arrived is deleted, and a sweep deletes what cannot be",
  deleteWebhook: "it may have very many deliveries; it is disabled first, and a retry goes on",
  endAllSessions: "that they end is recorded first, and then the provider and Redis end them; a retry ends the rest",
  endSession: "that it ends is recorded first, and then the provider and Redis end it; it is listed until it has ended",
  endUserSessions: "as endAllSessions",
  replaceSessions: "as endAllSessions",
  setUserState: "the state counts for each request from its commit on; the end of the sessions is an addition",
};

/** Calls that `prepare` does not let succeed. Each has one statement or transaction that changes something. */
const REFUSED = new Set<CallName>(["login", "readSharedPage", "replayWebhookDelivery", "retryDomain", "testWebhook"]);

async function manyIds(body: object, accepts: (body: object) => boolean, userId: number): Promise<object> {
  if (!("ids" in body)) return body;
  const rows = await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, asin, user_id)
    SELECT 's${userId}n' || n, 'https://www.amazon.de/dp/B0ZZ1Y2X3W', 'https://www.amazon.de/dp/B0ZZ1Y2X3W',
      'http://t.example/redirect?product_id=x', 'de', 'B0ZZ1Y2X3W', ${userId} FROM generate_series(1, 1000) n
    RETURNING id
  `);
  const all = rows.map(({ id }) => Number(id));
  const bodies = [1_000, 100, 10].map((count) => ({ ...body, ids: all.slice(0, count) }));
  return bodies.find(accepts) ?? body;
}

it.each(DOCUMENTED_CALLS.filter(({ call }) => call.method !== "GET"))(
  "$name changes rows in one transaction, or is named with what becomes of a failure",
  async (documented) => {
    const user = await signUpUser(api);
    const { name, call } = documented;
    if (call.path.startsWith("/api/operator/") || call.tag === "Operator") await makeOperator(api, user);
    const { params, headers, ...prepared } = await prepare(documented, user);
    const { example, body } = prepared.call;
    const accepts = (sent: object) => body?.safeParse(sent).success === true;
    const many = await manyIds(Object(example.body), accepts, user.user.id);
    const sent =
      example.body === undefined ? prepared : { call: { ...prepared.call, example: { ...example, body: many } } };
    await api.query("TRUNCATE steps");
    const response = await sendExample(api, sent as typeof prepared, { ...user.browser, ...headers }, params);
    const steps = await api.query("SELECT FROM steps");
    expect([name, response.ok, steps.length > 1]).toEqual([name, !REFUSED.has(name), SEVERAL[name] !== undefined]);
  },
);

it.each(Object.entries(MCP_INPUTS))("the tool %s of MCP changes rows in one transaction", async (name, input) => {
  const user = await signUpUser(api);
  const { shortCode } = await user.call(createLink, { body: MCP_INPUTS.create_link });
  const { client, call } = await connectMcp(api, (await addKey(api, user)).script);
  onTestFinished(() => client.close());
  await api.query("TRUNCATE steps");
  expect(await call(name, "shortCode" in input ? { ...input, shortCode } : input)).toEqual(expect.any(Object));
  const steps = await api.query("SELECT FROM steps");
  expect(steps).toHaveLength(name.startsWith("create") || name.startsWith("edit") ? 1 : 0);
});
