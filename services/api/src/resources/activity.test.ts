import { type Activity, listActivity, listAllActivity } from "@tapthru/proto/activity";
import { exportAccount } from "@tapthru/proto/own-account";
import { beforeEach, describe, expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { createLink } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { logIn, newBrowser, signUpUser, type TestUser } from "../testing/test-user.ts";
import { newVisitor, startApi } from "../testing/world.ts";

let ada: TestUser;
const api = await startApi();
beforeEach(async () => {
  await api.query("DELETE FROM audit_log");
  ada = await signUpUser(api);
});

async function activityOf({ browser }: TestUser, query = ""): Promise<Activity[]> {
  const response = await api.request("GET", `/api/activity?${query}`, browser);
  return listActivity.replies[200].parse(await response.json()).activity;
}

async function allActivity(operator: TestUser, query = "") {
  const response = await api.request("GET", `/api/operator/activity?${query}`, operator.browser);
  return listAllActivity.replies[200].parse(await response.json()).activity;
}

const actionsOf = (rows: readonly Activity[]) => rows.map(({ action }) => action);

describe("GET /api/activity", () => {
  it("lists what was changed of the user, with the key that did it, and nothing of others", async () => {
    const code = await createLink(api, ada.browser);
    await createLink(api, (await signUpUser(api)).browser);
    const { script } = await addKey(api, ada, ["links:write"]);
    for (const change of [{ nickname: "Mug" }, { labels: ["A"] }]) {
      const response = await api.request("PATCH", `/api/links/${code}`, script, change);
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    }
    const [labels, fields] = await activityOf(ada, `q=${code}`);
    expect([labels?.after, fields?.before, fields?.after]).toEqual([
      { labels: ["A"] },
      { nickname: null },
      { nickname: "Mug" },
    ]);
    expect(fields).toMatchObject({ actor: "key", action: "link.changed", object: code });
    expect(fields?.actorName).not.toBe(null);
    expect(actionsOf(await activityOf(ada))).toEqual([
      "link.changed",
      "label.created",
      "link.changed",
      "key.created",
      "link.created",
      "account.created",
    ]);
  });

  it("lists the activity in pages, and the export has all of it", async () => {
    await api.query(`
      INSERT INTO audit_log (actor, owner_id, action, object_id, object)
      SELECT 'key', ${ada.user.id}, 'label.created', n, '' FROM generate_series(1, 1000) n
    `);
    const { activity, nextBefore } = listActivity.replies[200].parse(
      await (await api.request("GET", "/api/activity", ada.browser)).json(),
    );
    expect(activity.at(-1)?.id).toBe(nextBefore);
    const [newest] = await activityOf(ada, `before=${nextBefore}`);
    expect(newest?.id).toBe(Number(nextBefore) - 1);
    const all = await (await api.request("GET", "/api/account/export", ada.browser)).json();
    expect(actionsOf(exportAccount.replies[200].parse(all).activity).toSpliced(0, 1000)).toEqual(["account.created"]);
  });

  it("does not show which operator changed something", async () => {
    const operator = await signUpUser(api);
    await makeOperator(api, operator);
    const { script } = await addKey(api, operator, ["operator"]);
    const links = { shortCodes: [await createLink(api, ada.browser)] };
    await api.post("/api/operator/links/take-down", { links, isTakenDown: true }, script);
    const [change] = await allActivity(operator, `q=${links.shortCodes[0]}`);
    expect(change).toMatchObject({ actor: "operator", actorUsername: operator.user.username });
    expect(change?.actorName).not.toBe(null);
    expect((await activityOf(ada))[0]).toEqual({
      ...change,
      actorName: null,
      actorUsername: null,
      ownerUsername: undefined,
      addressHash: undefined,
    });
  });
});

describe("GET /api/operator/activity", () => {
  it("finds changes by user, object, action and network address", async () => {
    const operator = await signUpUser(api);
    await makeOperator(api, operator);
    const code = await createLink(api, ada.browser);
    const visitorsCode = await createLink(api, newBrowser(api));
    const [created] = await allActivity(operator, `q=${code}`);
    expect(created).toMatchObject({ action: "link.created", ownerUsername: ada.user.username });
    expect(created?.addressHash).toMatch(/^[0-9a-f]{32}$/);
    const ofAddress = await allActivity(operator, `action=link.created&addressHash=${created?.addressHash}`);
    expect(ofAddress.map(({ object, actor }) => [object, actor])).toEqual([
      [visitorsCode, "visitor"],
      [code, "user"],
    ]);
    for (const user of [ada.email, ada.user.username]) {
      const query = `q=${encodeURIComponent(user)}`;
      expect(actionsOf(await allActivity(operator, query))).toEqual(["link.created", "account.created"]);
    }
    expect(actionsOf(await allActivity(operator, "action=account.created"))).toHaveLength(2);
  });
});

describe("the audit log", () => {
  it("the services' roles can neither change nor empty the audit log", async () => {
    for (const [role, granted] of [
      ["tapthru_api", ["INSERT", "SELECT"]],
      ["tapthru_worker", ["INSERT"]],
    ] as const) {
      const rights = await api.query(`
        SELECT privilege_type FROM information_schema.role_table_grants
        WHERE table_name = 'audit_log' AND grantee = '${role}' ORDER BY privilege_type
      `);
      expect(rights.map((row) => row.privilege_type)).toEqual(granted);
      await api.query(`SET ROLE ${role}`);
      for (const statement of ["UPDATE audit_log SET object = ''", "DELETE FROM audit_log", "TRUNCATE audit_log"]) {
        await expect(api.query(statement)).rejects.toThrow("permission denied");
      }
      await api.query("RESET ROLE");
    }
  });

  it("the audit log has no secret of a webhook, key or password", async () => {
    const url = "https://hooks.example/a-secret-path";
    await api.post("/api/webhooks", { url, events: ["link.created"] }, ada.browser);
    await api.post("/api/keys", { name: "Script", scopes: ["links:read"] }, ada.browser);
    const rows = JSON.stringify(await api.query("SELECT * FROM audit_log"));
    expect(rows).toContain("hooks.example");
    expect(rows).not.toMatch(/a-secret-path|key_hash|encrypted/);
  });

  it("keeps no content of a deleted account and its claimed links, and that it was deleted", async () => {
    await createLink(api, ada.browser);
    const visitor = await newVisitor(api);
    const shortCodes = [await createLink(api, visitor)];
    const browser = await logIn(api, ada, visitor);
    await api.post("/api/links/bulk/claim", { userId: ada.user.id, shortCodes }, browser);
    await api.request("DELETE", "/api/account", ada.browser, { email: ada.email });
    const rows = await api.query(`
      SELECT action, object, before, after, actor_name, address_hash FROM audit_log
      WHERE owner_id = ${ada.user.id} ORDER BY id
    `);
    const empty = { object: "", before: null, after: null, actor_name: null, address_hash: null };
    expect(rows).toEqual([
      { action: "account.created", ...empty },
      { action: "link.created", ...empty },
      { action: "link.created", ...empty },
      { action: "link.claimed", ...empty },
      { action: "account.deleted", ...empty },
    ]);
  });
});
