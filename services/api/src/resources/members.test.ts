import { listActivity } from "@tapthru/proto/activity";
import type { Role } from "@tapthru/proto/call";
import { createLink } from "@tapthru/proto/create-links";
import { updateDomain } from "@tapthru/proto/domains";
import { ERRORS } from "@tapthru/proto/errors";
import { generate } from "@tapthru/proto/generate";
import { createKey, listKeys, revokeKey } from "@tapthru/proto/keys";
import { createLabel } from "@tapthru/proto/labels";
import { listLinks } from "@tapthru/proto/link-lists";
import { updateLink } from "@tapthru/proto/links";
import * as calls from "@tapthru/proto/members";
import { exportAccount } from "@tapthru/proto/own-account";
import { MEMBERS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { createSharedPage, listSharedPages } from "@tapthru/proto/shared-pages";
import { createWebhook, listWebhooks } from "@tapthru/proto/webhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { clientOf } from "../testing/test-client.ts";
import { addWorkingDomain } from "../testing/test-domains.ts";
import { addKey } from "../testing/test-keys.ts";
import { product } from "../testing/test-links.ts";
import { connectMcp } from "../testing/test-mcp.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: anna, eve: ben, visitor } = await startWorld({ TLS: "on" });
beforeEach(() => api.query("TRUNCATE members, api_keys, audit_log, account_deletions"));

const BEN = { name: "Ben", role: "editor" } as const;
const inAnnas = inAccountOf(anna);
const benInAnnas = clientOf(api, { ...ben.browser, ...inAnnas });
const join = (role: Role = "editor") => addMember(api, { account: anna.user.id, member: ben.user.id }, role);

async function invite(body: { name: string; role: Role } = BEN): Promise<string> {
  const { url } = await anna.call(calls.inviteMember, { body });
  return String(new URLSearchParams(new URL(url).hash.slice(1)).get("token"));
}
const accept = (token: string, { send } = ben) => send(calls.joinAccount, { body: { token } });

describe("an invitation", () => {
  it("makes one user a member, also if two accept it at once, and only its hash is stored", async () => {
    const token = await invite();
    expect(JSON.stringify(await api.query("SELECT * FROM members"))).not.toContain(token);
    const other = await signUpUser(api);
    const statuses = (await Promise.all([ben, other].map((user) => accept(token, user)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 403]);
    expect(await anna.call(calls.listMembers)).toMatchObject([
      { ...BEN, username: expect.any(String), expiresAt: null },
    ]);
  });

  it("neither its owner nor a member uses up an invitation", async () => {
    await join();
    const body = { token: await invite() };
    for (const user of [anna, ben]) {
      expect(await user.refusal(calls.joinAccount, { body })).toEqual([409, ERRORS["already-member"].message]);
    }
    expect(await anna.call(calls.listMembers)).toMatchObject([{ username: ben.user.username }, { username: null }]);
  });

  it("refuses an invitation after it has expired, and while the account is disabled or being deleted", async () => {
    const body = { token: await invite() };
    const refusal = () => ben.refusal(calls.joinAccount, { body });
    await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${anna.user.id}`);
    expect(await refusal()).toEqual([403, ERRORS["invitation-invalid"].message]);
    await api.query(`UPDATE users SET state = 'enabled' WHERE id = ${anna.user.id}`);
    await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${anna.uid}', ${anna.user.id})`);
    expect(await refusal()).toEqual([403, ERRORS["invitation-invalid"].message]);
    await api.query("TRUNCATE account_deletions");
    await api.query("UPDATE members SET expires_at = now()");
    expect(await refusal()).toEqual([403, ERRORS["invitation-invalid"].message]);
  });

  it("an account has 20 invitations and a user 20 memberships at most, also with concurrent requests", async () => {
    const creates = Array.from({ length: MEMBERS_MAX_COUNT + 3 }, () => anna.send(calls.inviteMember, { body: BEN }));
    const statuses = (await Promise.all(creates)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(MEMBERS_MAX_COUNT).fill(201), ...Array(3).fill(409)]);
    await api.query("DELETE FROM members");
    for (let count = 0; count < MEMBERS_MAX_COUNT; count++) {
      const { user } = await signUpUser(api);
      await addMember(api, { account: user.id, member: ben.user.id });
    }
    const body = { token: await invite() };
    expect(await ben.refusal(calls.joinAccount, { body })).toEqual([409, ERRORS["too-many-members"].message]);
  });
});

describe("a member", () => {
  it("creates links of the account, and the activity says who did", async () => {
    await join();
    const { userId, id } = await benInAnnas.call(createLink, { body: { url: product } });
    expect(userId).toBe(anna.user.id);
    await benInAnnas.call(generate, { body: { url: product } });
    expect(await benInAnnas.call(listLinks)).toHaveLength(2);
    expect(await ben.call(listLinks)).toEqual([]);
    const row = { actor: "user", action: "link.created" };
    const { activity } = await anna.call(listActivity);
    expect(activity).toMatchObject([row, { ...row, actorUsername: ben.user.username }]);
    expect(await api.query(`SELECT owner_id, actor_id FROM audit_log WHERE object_id = '${id}'`)).toEqual([
      { owner_id: anna.user.id, actor_id: ben.user.id },
    ]);
  });

  it("reads the activity of the account, without that of its user's login and keys", async () => {
    await join();
    await addKey(api, anna);
    await anna.call(createLink, { body: { url: product } });
    await benInAnnas.call(createLink, { body: { url: product } });
    const { activity } = await benInAnnas.call(listActivity);
    expect(activity.map(({ action, actorUsername }) => [action, actorUsername])).toEqual([
      ["link.created", null],
      ["link.created", anna.user.username],
    ]);
    expect((await anna.call(listActivity)).activity.map(({ action }) => action)).toContain("key.created");
  });

  it("a member has no access to an account that is disabled or being deleted, and none after leaving", async () => {
    await join();
    const refusal = () => benInAnnas.refusal(listLinks);
    await api.query(`UPDATE users SET state = 'blocked' WHERE id = ${anna.user.id}`);
    expect(await refusal()).toEqual([403, ERRORS["not-a-member"].message]);
    expect(await ben.call(calls.listMemberships)).toEqual([]);
    await api.query(`UPDATE users SET state = 'enabled' WHERE id = ${anna.user.id}`);
    await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${anna.uid}', ${anna.user.id})`);
    expect(await refusal()).toEqual([403, ERRORS["not-a-member"].message]);
    await api.query("TRUNCATE account_deletions");
    await ben.call(calls.leaveAccount, { params: { id: anna.user.id } });
    expect(await refusal()).toEqual([403, ERRORS["not-a-member"].message]);
  });

  it("changes a domain as an editor", async () => {
    const change = { params: { host: await addWorkingDomain(api, anna) } };
    await join();
    expect(await benInAnnas.call(updateDomain, { ...change, body: { isDefault: true } })).toMatchObject({
      isDefault: true,
    });
  });

  it("the exports of both accounts name the member", async () => {
    await join();
    expect(await anna.call(exportAccount)).toMatchObject({ members: [BEN], memberships: [] });
    const memberships = [{ id: anna.user.id, username: anna.user.username, role: "editor" }];
    expect(await ben.call(exportAccount)).toMatchObject({ members: [], memberships });
  });

  it("a member does not claim links of their browser for the account by their own id", async () => {
    await join();
    const created = await api.post("/api/generate", { url: product }, visitor);
    const { shortCode } = generate.replies[201].parse(await created.json());
    const cookie = `${visitor.cookie}; ${ben.browser.cookie}`;
    const { refusal } = clientOf(api, { ...ben.browser, ...inAnnas, cookie });
    const claim = { params: { shortCode }, body: { userId: ben.user.id } };
    expect(await refusal(updateLink, claim)).toEqual([404, ERRORS["link-not-found"].message]);
  });
});

describe("a key of a member", () => {
  const usesKey = async () => clientOf(api, (await addKey(api, { browser: { ...ben.browser, ...inAnnas } })).script);

  it("acts in the account alone, and is listed there alone, also for owners", async () => {
    await join();
    const key = await usesKey();
    expect((await key.call(createLink, { body: { url: product } })).userId).toBe(anna.user.id);
    expect((await key.send(listLinks, { headers: inAnnas })).status).toBe(200);
    expect(await key.refusal(listLinks, { headers: inAccountOf(ben) })).toEqual([403, ERRORS["not-a-member"].message]);
    expect(await benInAnnas.call(listKeys)).toHaveLength(1);
    expect(await anna.call(listKeys)).toMatchObject([{ username: ben.user.username }]);
    expect(await ben.call(listKeys)).toEqual([]);
  });

  it("the activity of the account shows a member's key, and its owners revoke it", async () => {
    await join();
    const { id, script } = await addKey(api, { browser: { ...ben.browser, ...inAnnas } });
    await addKey(api, anna);
    expect(await benInAnnas.call(listKeys)).toHaveLength(1);
    const { activity } = await anna.call(listActivity);
    expect(activity.map(({ action }) => action)).toContain("key.created");
    expect((await anna.send(revokeKey, { params: { id: String(id) } })).status).toBe(200);
    expect(await clientOf(api, script).refusal(listLinks)).toEqual([401, ERRORS["bad-key"].message]);
  });

  it.each([
    ["owner", true],
    ["editor", false],
    ["viewer", false],
  ] as const)(
    "a member who is %s sees another member's key in the activity: %s, and never the user's",
    async (role, isSeen) => {
      await addMember(api, { account: anna.user.id, member: ben.user.id }, role);
      const viewer = await signUpUser(api);
      await addMember(api, { account: anna.user.id, member: viewer.user.id }, "viewer");
      await addKey(api, anna);
      await addKey(api, { browser: { ...viewer.browser, ...inAnnas } });
      const actors = async (caller: Pick<typeof ben, "call">) =>
        (await caller.call(listActivity, { query: {} })).activity.flatMap(({ action, actorUsername }) =>
          action === "key.created" ? actorUsername : [],
        );
      expect(await actors(benInAnnas)).toEqual(isSeen ? [viewer.user.username] : []);
      expect(await actors(anna)).toEqual([viewer.user.username, null]);
      await addKey(api, { browser: { ...ben.browser, ...inAnnas } });
      expect(await actors(benInAnnas)).toEqual(isSeen ? [null, viewer.user.username] : [null]);
    },
  );

  it("a member's key in an account cannot be one of their own account", async () => {
    await join();
    const { refusal } = clientOf(api, (await addKey(api, ben)).script);
    expect(await refusal(listLinks, { headers: inAnnas })).toEqual([403, ERRORS["not-a-member"].message]);
  });

  it("follows a change of the role at once, also over MCP, and is deleted with the membership", async () => {
    const id = await join();
    const { script } = await addKey(api, { browser: { ...ben.browser, ...inAnnas } });
    const mcp = await connectMcp(api, script);
    expect(await mcp.call("create_link", { url: product })).toMatchObject({ userId: anna.user.id });
    const params = { id };
    await anna.call(calls.updateMember, { params, body: { role: "viewer" } });
    expect(await mcp.call("create_link", { url: product })).toBe(ERRORS["role-required"].message);
    expect(await mcp.call("list_links", {})).toHaveProperty("links");
    await mcp.client.close();
    await anna.call(calls.removeMember, { params });
    expect(await clientOf(api, script).refusal(listLinks)).toEqual([401, ERRORS["bad-key"].message]);
    await join();
    expect(await clientOf(api, script).refusal(listLinks)).toEqual([401, ERRORS["bad-key"].message]);
  });
});

describe("what a member made", () => {
  const otherWays = async () => {
    await addKey(api, { browser: { ...ben.browser, ...inAnnas } });
    await benInAnnas.call(calls.inviteMember, { body: { name: "Ben again", role: "owner" } });
    await benInAnnas.call(createWebhook, { body: { url: "https://ben.example/x", events: ["link.created"] } });
    const { id: linkId } = await benInAnnas.call(createLink, { body: { url: product } });
    const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await benInAnnas.call(createSharedPage, { body: { of: { linkId }, name: "Ben", endsOn } });
  };
  const left = async () => ({
    keys: (await anna.call(listKeys)).length,
    invitations: (await anna.call(calls.listMembers)).filter(({ username }) => username === null).length,
    webhooks: (await anna.call(listWebhooks)).filter(({ state }) => state !== "disabled").length,
    sharedPages: (await anna.call(listSharedPages)).length,
  });
  beforeEach(() => api.query("TRUNCATE webhooks, shared_pages CASCADE"));

  it("ends with the membership", async () => {
    const id = await join("owner");
    await otherWays();
    expect(await left()).toEqual({ keys: 1, invitations: 1, webhooks: 1, sharedPages: 1 });
    await anna.call(calls.removeMember, { params: { id } });
    expect(await left()).toEqual({ keys: 0, invitations: 0, webhooks: 0, sharedPages: 0 });
  });

  it("ends as far as a lower role does not allow it", async () => {
    const id = await join("owner");
    await otherWays();
    await anna.call(calls.updateMember, { params: { id }, body: { role: "editor" } });
    expect(await left()).toEqual({ keys: 1, invitations: 0, webhooks: 0, sharedPages: 1 });
    await anna.call(calls.updateMember, { params: { id }, body: { role: "viewer" } });
    expect(await left()).toEqual({ keys: 1, invitations: 0, webhooks: 0, sharedPages: 0 });
  });
});

describe("while a request of a member waits", () => {
  const isWaiting = (count: number) =>
    eventually(async () => {
      const rows = await api.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(count);
    });
  const body = { name: "Late", scopes: ["links:read" as const] };
  const request = () => benInAnnas.send(createKey, { body });

  it.each([
    ["their removal, which was first, refuses it", true, [200, 403]],
    ["their removal waits for it, and ends what it made", false, [201, 200]],
  ])("%s", async (_, removesFirst, expected) => {
    const id = await join("owner");
    const removal = () => anna.send(calls.removeMember, { params: { id } });
    await api.query(`BEGIN; SELECT FROM users WHERE id = ${anna.user.id} FOR UPDATE`);
    const sent: Promise<Response>[] = [];
    for (const [index, send] of (removesFirst ? [removal, request] : [request, removal]).entries()) {
      sent.push(send());
      await isWaiting(index + 1);
    }
    await api.query("COMMIT");
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(expected);
    expect([await anna.call(listKeys), await anna.call(calls.listMembers)]).toEqual([[], []]);
  });
});

it("an owner does not change their own role", async () => {
  const id = await join("owner");
  const change = { params: { id }, body: { role: "viewer" as const } };
  expect(await benInAnnas.refusal(calls.updateMember, change)).toEqual([403, ERRORS["not-allowed"].message]);
  expect(await anna.call(calls.updateMember, change)).toEqual({ role: "viewer" });
});

it("an owner changes the role of a member whose requests are in progress", async () => {
  const carla = await signUpUser(api);
  const id = await addMember(api, { account: anna.user.id, member: carla.user.id });
  await join("owner");
  const carlaInAnnas = clientOf(api, { ...carla.browser, ...inAnnas });
  for (let round = 0; round < 10; round++) {
    const body = { name: `Label ${round}`, colour: "red" as const };
    const replies = await Promise.all([
      benInAnnas.send(calls.updateMember, { params: { id }, body: { role: "editor" } }),
      carlaInAnnas.send(createLabel, { body }),
      benInAnnas.send(calls.updateMember, { params: { id }, body: { role: "editor" } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200]);
  }
});
