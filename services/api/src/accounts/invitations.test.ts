import { createHash, randomUUID } from "node:crypto";
import { ERRORS } from "@tapthru/proto/errors";
import { createInvitation, listInvitations } from "@tapthru/proto/operator/sign-up";
import type { SignUpMode } from "@tapthru/proto/public-config";
import { INVITATIONS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import { newBrowser } from "../testing/browser-headers.ts";
import { createAccount, newEmail, PASSWORD, type TestAccount } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { emailTo } from "../testing/test-emails.ts";
import { logIn, postUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let account: TestAccount;
const open = await startApi({ SMTP_FROM: "hello@tapthru.example" });
const apis: Record<SignUpMode, TestApi> = {
  open,
  invitation: await startApi({ SIGNUP_MODE: "invitation" }, { replicaOf: open }),
  closed: await startApi({ SIGNUP_MODE: "closed" }, { replicaOf: open }),
};
beforeEach(async () => {
  await open.empty();
  account = await createAccount(open);
});

const signUpAtProvider = (mode: SignUpMode, invitation?: string) => {
  const email = newEmail();
  const body = { displayName: email.slice(0, 12), email, password: PASSWORD, invitation };
  return apis[mode].post("/api/auth/sign-up", body, newBrowser(open));
};
const createUser = (mode: SignUpMode, invitation?: string, by = account) =>
  postUser(apis[mode], by, { username: by.uid, invitation });

async function addInvitation(makesOperator = false, expiresAt = "now() + interval '1 day'") {
  const token = randomUUID();
  const hash = createHash("sha256").update(token).digest("hex");
  await open.query(`INSERT INTO invitations (token_hash, makes_operator, expires_at)
    VALUES ('\\x${hash}', ${makesOperator}, ${expiresAt})`);
  return token;
}

describe("sign-up", () => {
  it.each([
    ["open", 200, ""],
    ["invitation", 403, ERRORS["invitation-invalid"].message],
    ["closed", 403, ERRORS["sign-up-closed"].message],
  ] as const)("sign-up without an invitation, with SIGNUP_MODE=%s", async (mode, status, message) => {
    for (const response of [await signUpAtProvider(mode), await createUser(mode)]) {
      expect(response.ok).toBe(status === 200);
      expect(await response.text()).toContain(message);
    }
  });

  it.each(["open", "invitation", "closed"] as const)(
    "an invitation allows one sign-up with SIGNUP_MODE=%s",
    async (mode) => {
      const invitation = await addInvitation();
      expect((await signUpAtProvider(mode, invitation)).status).toBe(200);
      for (const response of [
        await signUpAtProvider(mode, invitation),
        await createUser(mode, invitation, await createAccount(open)),
      ]) {
        expect([response.status, await response.text()]).toEqual([403, ERRORS["invitation-invalid"].message]);
      }
    },
  );

  it("confirms the address where no emails are sent, as the operator knows who gets the link", async () => {
    const silent = await startTestApi({ SIGNUP_MODE: "invitation" }, { replicaOf: open });
    const email = newEmail();
    const body = { displayName: email.slice(0, 12), email, password: PASSWORD, invitation: await addInvitation() };
    expect((await silent.post("/api/auth/sign-up", body, newBrowser(silent))).status).toBe(200);
    await silent.stop();
    const query = `SELECT "emailVerified" AND email_is_verified AS is_confirmed
      FROM users JOIN identity."user" AS identity ON identity.id = firebase_uid WHERE address = '${email}'`;
    expect(await open.query(query)).toEqual([{ is_confirmed: true }]);
  });

  it("gives an invitation to one of ten people", async () => {
    const invitation = await addInvitation();
    const people = await Promise.all(Array.from({ length: 10 }, () => createAccount(open)));
    const responses = await Promise.all(people.map((person) => createUser("invitation", invitation, person)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(403)]);
  });

  it("ten simultaneous sign-ups with the operator's link make one operator and leave other invitations", async () => {
    const invitation = await addInvitation();
    const links = await Promise.all(Array.from({ length: 10 }, () => addInvitation(true)));
    const responses = await Promise.all(
      links.map(async (link) => createUser("closed", link, await createAccount(open))),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(403)]);
    expect((await createUser("closed", invitation)).status).toBe(201);
  });

  it("a sign-up with a taken username leaves the invitation and can be repeated", async () => {
    const invitation = await addInvitation();
    await open.query(`INSERT INTO users (username, email, firebase_uid)
      VALUES ('${account.uid}', 'other@example.com', 'other')`);
    expect((await createUser("invitation", invitation)).status).toBe(409);
    await open.query("DELETE FROM users");
    expect((await createUser("invitation", invitation)).status).toBe(201);
    expect((await createUser("invitation", invitation)).status).toBe(200);
  });

  it("refuses a sign-up with an expired invitation", async () => {
    const invitation = await addInvitation(false, "now()");
    expect((await signUpAtProvider("invitation", invitation)).status).toBe(403);
    expect((await createUser("invitation", invitation)).status).toBe(403);
  });
});

describe("an operator", () => {
  let operator: Pick<TestUser, "browser">;
  beforeEach(async () => {
    const response = await createUser("closed", await addInvitation(true));
    expect(await response.json()).toMatchObject({ isOperator: true });
    operator = { browser: await logIn(open, account) };
  });

  const call = (method: string, path: string, body?: object, { browser } = operator) =>
    open.request(method, path, browser, body);
  async function invite(body: object = {}) {
    const response = await call("POST", createInvitation.path, body);
    return createInvitation.replies[201].parse(await response.json());
  }
  const list = async () => listInvitations.replies[200].parse(await (await call("GET", listInvitations.path)).json());

  it("invites people, by a link or by an email", async () => {
    const { url, isSent, ...invitation } = await invite();
    expect([isSent, invitation.email]).toEqual([false, null]);
    const email = newEmail();
    const sent = await invite({ email });
    expect(await emailTo(open, email, "invitation")).toEqual({ kind: "invitation", to: email, url: sent.url });
    expect((await list()).map(({ id }) => id)).toEqual([sent.id, invitation.id]);
    const token = new URL(url).searchParams.get("invitation") ?? "";
    const person = await createAccount(open);
    const created = await createUser("invitation", token, person);
    expect(await created.json()).toMatchObject({ isOperator: false });
    expect((await list()).map(({ id }) => id)).toEqual([sent.id]);
  });

  it("deletes an invitation", async () => {
    const { id, url } = await invite();
    expect((await call("DELETE", `/api/operator/invitations/${id}`)).status).toBe(200);
    expect((await call("DELETE", `/api/operator/invitations/${id}`)).status).toBe(404);
    const token = new URL(url).searchParams.get("invitation") ?? "";
    expect((await signUpAtProvider("invitation", token)).status).toBe(403);
  });

  it("limits the open invitations of an operator", async () => {
    await open.query(`INSERT INTO invitations (token_hash, expires_at)
      SELECT sha256(n::text::bytea), now() + interval '1 day'
      FROM generate_series(1, ${INVITATIONS_MAX_COUNT}) AS n`);
    const response = await call("POST", createInvitation.path, {});
    expect([response.status, await response.text()]).toEqual([409, ERRORS["too-many-invitations"].message]);
  });
});
