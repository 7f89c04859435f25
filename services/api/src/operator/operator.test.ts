import { ERRORS } from "@tapthru/proto/errors";
import { listReportedLinks, type ReportedLink } from "@tapthru/proto/operator/abuse-reports";
import { listAllDomains } from "@tapthru/proto/operator/domains";
import type { OperatorLink } from "@tapthru/proto/operator/links";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { queryPlan, rowsRead } from "../testing/query-plan.ts";
import { addKey, MEMBER_SCOPES } from "../testing/test-keys.ts";
import { addUserLinks, createLink } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { codeOfLink, reportedLinks } from "./abuse-reports.ts";

let params: Record<string, string>;
const { api, ada: operator, eve: ada } = await startWorld({ TLS: "on" });
beforeAll(async () => {
  await makeOperator(api, operator);
  const other = await signUpUser(api);
  const shortCode = await createLink(api, other.browser);
  const { id } = other.user;
  await api.query(`
    INSERT INTO abuse_reports (short_code, reason) VALUES ('${shortCode}', 'spam');
    INSERT INTO domains (user_id, host, proof) VALUES (${id}, 'go.anna.example', 'x');
    INSERT INTO invitations (id, token_hash, expires_at) VALUES (${id}, sha256('x'), now() + interval '1 day');
  `);
  params = { id: String(id), userId: String(id), host: "go.anna.example", shortCode };
});
beforeEach(() => api.query("TRUNCATE api_keys"));

const calls = DOCUMENTED_CALLS.filter(({ call }) => call.path.startsWith("/api/operator/") || call.tag === "Operator");

const NOT_WITH_KEY = ["confirmUserEmail", "resetUserTwoFactor", "deleteUser"];

describe.each(calls)("$name", ({ name, call, access }) => {
  const reply = async (headers: Record<string, string>) => {
    const response = await sendExample(api, { call }, headers, params);
    return [response.status, await response.text()];
  };

  const needsSession = NOT_WITH_KEY.includes(name);

  it("documents the scope of operators alone, or none", () => {
    expect(access).toEqual(needsSession ? [["session"]] : [["session"], ["operator"]]);
  });

  it("the call does not exist for a member, also with a key that has every scope", async () => {
    const { id, script } = await addKey(api, ada);
    await api.query(`UPDATE api_keys SET scopes = '{${API_KEY_SCOPES.join(",")}}' WHERE id = ${id}`);
    for (const headers of [ada.browser, script, { ...operator.browser, ...script }]) {
      expect(await reply(headers)).toEqual([404, ERRORS["not-found"].message]);
    }
  });

  it("refuses an operator's key without the scope", async () => {
    const { script } = await addKey(api, operator, MEMBER_SCOPES);
    expect(await reply(script)).toEqual([403, "This API key does not have the scope operator."]);
  });

  it("serves an operator, by session and by a key with the scope, if keys may do it", async () => {
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
    const refused = await api.post(path, body, ada.browser);
    expect([refused.status, await refused.text()]).toEqual([422, `Missing or malformed field: ${field}`]);
    expect((await api.post(path, body, operator.browser)).status).toBe(201);
  }
  const created = await api.post("/api/webhooks", { ...webhook, events: ["link.created"] }, ada.browser);
  const { id } = (await created.json()) as { id: number };
  const changed = await api.request("PATCH", `/api/webhooks/${id}`, ada.browser, { events: webhook.events });
  expect([changed.status, await changed.text()]).toEqual([422, "Missing or malformed field: events"]);
});

describe("links", () => {
  const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";
  const lamp = "https://www.amazon.de/dp/B000000001?tag=ada-21";
  const mug = "https://www.amazon.fr/dp/B000000002?tag=eve-21";

  let lampCode: string;
  let mugCode: string;
  beforeAll(async () => {
    await makeOperator(api, operator);
  });
  beforeEach(async () => {
    await api.query("TRUNCATE all_links, bulk_updates CASCADE");
    lampCode = await createLink(api, ada.browser, lamp);
    mugCode = await createLink(api, {}, mug);
    await api.query(`
    UPDATE audit_log SET address_hash = CASE WHEN object = '${mugCode}' THEN '\\x${ADDRESS}'::bytea END
  `);
  });

  async function search(query: Record<string, string>) {
    const path = `/api/operator/links?${new URLSearchParams(query)}`;
    const response = await api.request("GET", path, operator.browser);
    return (await response.json()) as { links: OperatorLink[]; nextBefore: number | null };
  }
  const codes = async (query: Record<string, string>) => (await search(query)).links.map(({ shortCode }) => shortCode);

  describe("GET /api/operator/links", () => {
    it("finds links by the start of a code, the destination, a tag, an owner, and an address", async () => {
      const { username, email } = ada.user;
      for (const q of [lampCode.slice(0, 4), "B000000001", "ada-21", username.toUpperCase(), email]) {
        expect([q, await codes({ q })]).toEqual([q, [lampCode]]);
      }
      for (const query of [
        { ownerId: String(ada.user.id) },
        { q: `${api.publicBaseUrl}/l/${lampCode}` },
        { q: "de/dp", ownerId: String(ada.user.id) },
      ]) {
        expect(await codes(query)).toEqual([lampCode]);
      }
      expect(await codes({ addressHash: ADDRESS })).toEqual([mugCode]);
      expect(await codes({ q: "%" })).toEqual([]);
      expect(await search({})).toMatchObject({
        links: [
          { shortCode: mugCode, owner: null, addressHash: ADDRESS, takenDownAt: null },
          { shortCode: lampCode, owner: { username }, addressHash: null },
        ],
        nextBefore: null,
      });
    });

    it("finds links by the tag of their channel, present or last", async () => {
      const put = (tag: string) => api.request("PUT", "/api/stores", ada.browser, { marketplace: "de", tag });
      await put("first-21");
      const body = { url: "https://www.amazon.de/dp/B000000003", usesChannelTag: true };
      const { shortCode } = (await (await api.post("/api/links", body, ada.browser)).json()) as { shortCode: string };
      await put("second-21");
      const found = async () => [await codes({ q: "tag=second-21" }), await codes({ q: "tag=first-21" })];
      expect(await found()).toEqual([[shortCode], []]);
      await api.request("DELETE", "/api/stores/de", ada.browser);
      expect(await found()).toEqual([[shortCode], []]);
    });

    it("returns pages, also while it searches many links of which few match", async () => {
      await addUserLinks(api, operator.user.id, 16_010);
      const newest = await search({ q: `u${operator.user.id}n` });
      expect(newest.links).toHaveLength(50);
      const without = await search({ q: "B000000001" });
      expect(without).toEqual({ links: [], nextBefore: expect.any(Number) });
      const next = await search({ q: "B000000001", before: String(without.nextBefore) });
      expect(next).toMatchObject({ links: [{ shortCode: lampCode }], nextBefore: null });
      const ofOwner = await search({ q: "B000000001", ownerId: String(operator.user.id) });
      expect(ofOwner).toEqual({ links: [], nextBefore: expect.any(Number) });
    });
  });

  describe("POST /api/operator/links/take-down", () => {
    const post = (links: object, isTakenDown = true) =>
      api.post("/api/operator/links/take-down", { links, isTakenDown }, operator.browser);
    const reply = async (response: Promise<Response>) => {
      const { status } = await response;
      return [status, await (await response).json()];
    };
    const states = async () =>
      (
        await api.query("SELECT record ->> 'state' AS state FROM redirect_records WHERE short_code !~ '^~' ORDER BY 1")
      ).map(({ state }) => state);

    it("takes some links down at once, and lets them work again", async () => {
      const links = { shortCodes: [lampCode, mugCode, "unknown"] };
      expect(await reply(post(links))).toEqual([200, { count: 2, shortCodes: [lampCode, mugCode] }]);
      expect(await states()).toEqual(["gone", "gone"]);
      expect(await reply(post(links))).toEqual([200, { count: 0, shortCodes: [] }]);
      expect(await reply(post({ shortCodes: [mugCode] }, false))).toEqual([200, { count: 1, shortCodes: [mugCode] }]);
      expect(await states()).toEqual(["gone", "live"]);
    });

    it("takes a link down with all its codes, by an earlier one", async () => {
      const patch = { slug: "lamp" };
      expect((await api.request("PATCH", `/api/links/${lampCode}`, ada.browser, patch)).status).toBe(200);
      expect(await reply(post({ shortCodes: [lampCode] }))).toEqual([200, { count: 1, shortCodes: ["lamp"] }]);
      expect(await states()).toEqual(["gone", "gone", "live"]);
    });

    it("takes a link that is down with its user down for itself, without an undo", async () => {
      await api.query(
        `SELECT resolve_abuse_reports(ARRAY(SELECT id FROM links WHERE short_code = '${lampCode}'), 'taken-down', 'user')`,
      );
      expect(await reply(post({ shortCodes: [lampCode] }))).toEqual([200, { count: 0, shortCodes: [] }]);
      const links = await api.query("SELECT takedown_cause FROM links WHERE taken_down_at IS NOT NULL");
      expect(links).toEqual([{ takedown_cause: null }]);
    });

    it("stores the decision about all links also if they cannot be counted in time", async () => {
      await api.query("BEGIN; LOCK TABLE links");
      const decided = await reply(post({ ownerId: ada.user.id }));
      await api.query("COMMIT");
      expect(decided).toEqual([202, { count: null }]);
      expect(await api.query("SELECT FROM bulk_updates")).toHaveLength(1);
    });

    it("leaves the links of a user or an address to the relay", async () => {
      expect(await reply(post({ ownerId: ada.user.id }))).toEqual([202, { count: 1 }]);
      expect(await reply(post({ addressHash: ADDRESS }, false))).toEqual([202, { count: 0 }]);
      expect((await api.query("SELECT payload FROM bulk_updates")).map((row) => row.payload)).toEqual([
        { links: { cause: "owner", userId: ada.user.id }, isTakenDown: true },
        { links: { cause: "address", addressHash: ADDRESS }, isTakenDown: false },
      ]);
      const recorded = await api.query(
        "SELECT object_id, object, encode(address_hash, 'hex') AS hash FROM audit_log WHERE action = 'links.restored'",
      );
      expect(recorded).toEqual([{ object_id: "", object: "", hash: ADDRESS }]);
      const unknown = await post({ ownerId: 999_999_999 });
      expect([unknown.status, await unknown.text()]).toEqual([404, ERRORS["not-found"].message]);
    });
  });
});

describe("reported links", () => {
  let shortCode: string;
  beforeAll(async () => {
    await makeOperator(api, operator);
  });
  beforeEach(async () => {
    await api.query("TRUNCATE all_links, webhooks CASCADE");
    shortCode = await createLink(api, ada.browser);
  });

  const report = (code = shortCode, reason = "spam") =>
    api.post("/api/reports", { code, reason }).then(({ status }) => expect(status).toBe(202));
  async function list(state: "open" | "decided" = "open") {
    const response = await api.request("GET", `/api/operator/abuse-reports?state=${state}`, operator.browser);
    return listReportedLinks.replies[200].parse(await response.json());
  }
  async function decide(state: ReportedLink["state"], code = shortCode): Promise<ReportedLink> {
    const path = `/api/operator/abuse-reports/${code}`;
    const response = await api.request("PUT", path, operator.browser, { state });
    return (await response.json()) as ReportedLink;
  }
  const stateOf = async (code = shortCode) => {
    const rows = await api.query(
      `SELECT record ->> 'state' AS state FROM redirect_records WHERE short_code = '${code}'`,
    );
    return rows[0]?.state;
  };

  it("lists reported links with what visitors see, the longest waiting first", async () => {
    const other = await createLink(api, {});
    for (const reason of ["spam", "harmful", "spam"]) await report(other, reason);
    await report();
    const { links, openCount } = await list();
    expect(openCount).toBe(2);
    expect(links).toMatchObject([
      { shortCode: other, owner: null, counts: { spam: 2, harmful: 1 }, state: "open" },
      {
        shortCode,
        shortUrl: `${api.publicBaseUrl}/l/${shortCode}`,
        webUrl: expect.stringMatching(/^https:\/\/www\.amazon\./),
        owner: { id: ada.user.id, username: ada.user.username },
        decidedAt: null,
      },
    ]);
  });

  it("reads only the reports of the link that is decided about", async () => {
    await addUserLinks(api, ada.user.id, 2_000);
    await api.query("INSERT INTO abuse_reports (short_code, reason) SELECT short_code, 'spam' FROM links");
    await api.query("ANALYZE");
    const plan = await queryPlan(api, reportedLinks(codeOfLink(shortCode)));
    expect(rowsRead(plan, "abuse_reports")).toBe(1);
  });

  it.each(["taken-down", "dismissed"] as const)("a link is %s, and that is undone", async (state) => {
    await report();
    expect(await decide(state)).toMatchObject({ state, decidedAt: expect.any(String) });
    expect(await stateOf()).toBe(state === "taken-down" ? "gone" : "live");
    expect((await list()).links).toEqual([]);
    expect((await list("decided")).links).toMatchObject([{ shortCode, state }]);
    expect(await decide(state)).toMatchObject({ state });
    expect(await decide("open")).toMatchObject({ state: "open", decidedAt: null });
    expect(await stateOf()).toBe("live");
    expect((await list()).links).toMatchObject([{ shortCode, counts: { spam: 1 } }]);
  });

  it("each decision has one row of the audit log", async () => {
    await report();
    await api.query("TRUNCATE audit_log");
    for (const state of ["dismissed", "dismissed", "open", "taken-down", "open"] as const) await decide(state);
    const rows = await api.query("SELECT action, actor_id, object FROM audit_log ORDER BY id");
    const row = { actor_id: operator.user.id, object: shortCode };
    expect(rows).toEqual([
      { ...row, action: "abuse-report.decided" },
      { ...row, action: "abuse-report.decided" },
      { ...row, action: "link.changed" },
      { ...row, action: "link.changed" },
    ]);
  });

  it("equal decisions at the same time have one row of the audit log", async () => {
    await report();
    await api.query("TRUNCATE audit_log");
    const other = await signUpUser(api);
    await makeOperator(api, other);
    const path = `/api/operator/abuse-reports/${shortCode}`;
    await Promise.all(
      [operator, other].map(({ browser }) => api.request("PUT", path, browser, { state: "dismissed" })),
    );
    const rows = await api.query("SELECT FROM audit_log WHERE action = 'abuse-report.decided'");
    expect(rows).toHaveLength(1);
  });

  it("a new report opens a dismissed link again, and is ignored for one that is taken down", async () => {
    await report();
    await decide("dismissed");
    await report(shortCode, "harmful");
    expect((await list()).links).toMatchObject([{ shortCode, counts: { spam: 1, harmful: 1 } }]);
    await decide("taken-down");
    await report();
    expect((await list()).openCount).toBe(0);
  });

  it("a link without reports cannot be decided about", async () => {
    for (const code of [shortCode, "zzzzzzz"]) {
      const path = `/api/operator/abuse-reports/${code}`;
      const response = await api.request("PUT", path, operator.browser, { state: "taken-down" });
      expect([response.status, await response.text()]).toEqual([404, ERRORS["link-not-found"].message]);
    }
  });

  it("webhooks of operators receive an abuse report when it opens, and those of other users none", async () => {
    const webhook = { url: "https://receiver.example/", events: ["link.reported"] };
    expect((await api.post("/api/webhooks", webhook, operator.browser)).status).toBe(201);
    await api.query(`
    INSERT INTO webhooks (user_id, url, events, encrypted_secret)
    VALUES (${ada.user.id}, 'https://receiver.example/', '{link.reported}', 'x')
  `);
    const sent = () => api.query("SELECT type, data FROM webhook_deliveries ORDER BY created_at");
    await report();
    await report();
    const [link] = await api.query("SELECT web_url FROM links");
    const data = { shortCode, webUrl: link?.web_url, reason: "spam" };
    expect(await sent()).toEqual([{ type: "link.reported", data: { ...data, count: 1 } }]);
    await decide("dismissed");
    await decide("open");
    await decide("dismissed");
    expect(await sent()).toHaveLength(1);
    await report();
    expect(await sent()).toMatchObject([{}, { data: { ...data, count: 3 } }]);
  });
});

describe("the domains of all users", () => {
  beforeAll(async () => {
    await api.query(`
    TRUNCATE domains CASCADE;
    INSERT INTO domains (user_id, host, proof, verified_at, problem, failing_since, next_check_at) VALUES
      (${ada.user.id}, 'a.example', 'x', now(), NULL, NULL, now() + interval '1 hour'),
      (${operator.user.id}, 'b.example', 'x', now(), 'no-record', now(), now() + interval '1 hour');
    INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
    VALUES ('a.example', 'x', 'x', '2099-01-01Z', now());
  `);
  });

  async function list(q = "") {
    const response = await api.request("GET", `/api/operator/domains?q=${q}`, operator.browser);
    return listAllDomains.replies[200].parse(await response.json()).domains;
  }

  it("lists the domains of all users with certificates, domains with a problem first", async () => {
    expect(await list()).toMatchObject([
      { host: "b.example", state: "failing", problem: "no-record" },
      {
        host: "a.example",
        owner: { id: ada.user.id, username: ada.user.username },
        state: "works",
        certificateExpiresAt: "2099-01-01T00:00:00.000Z",
      },
    ]);
    expect(await list("A.EX")).toMatchObject([{ host: "a.example" }]);
    expect(await list(ada.user.username)).toMatchObject([{ host: "a.example" }]);
  });

  it("lets the worker check a domain", async () => {
    const retry = (userId: number) =>
      api.post(`/api/operator/domains/${userId}/a.example/retry`, undefined, operator.browser);
    await api.query(`INSERT INTO failed_items (kind, key, error, retry_at)
    SELECT 'check-domains', id, 'broken', now() + interval '1 hour' FROM domains WHERE host = 'a.example'`);
    expect((await retry(ada.user.id)).status).toBe(202);
    expect(await api.query("SELECT FROM failed_items WHERE retry_at > now()")).toEqual([]);
    const [domain] = await api.query("SELECT next_check_at <= now() AS is_due FROM domains WHERE host = 'a.example'");
    expect(domain).toEqual({ is_due: true });
    expect((await retry(operator.user.id)).status).toBe(404);
    const recorded = await api.query("SELECT actor, owner_id, object FROM audit_log WHERE action = 'domain.retried'");
    expect(recorded).toEqual([{ actor: "operator", owner_id: ada.user.id, object: "a.example" }]);
  });
});
