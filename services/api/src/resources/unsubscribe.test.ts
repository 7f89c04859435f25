import { User } from "@tapthru/proto/accounts";
import { UNSUBSCRIBE_PATH } from "@tapthru/proto/unsubscribe";
import { beforeEach, describe, expect, it } from "vitest";
import { confirmEmail, setUnverifiedEmail, signIn, verifyEmail } from "../testing/test-accounts.ts";
import { startTestApi } from "../testing/test-api.ts";
import { logIn, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let ada: TestUser;
const api = await startApi({ SMTP_FROM: "mail@tapthru.example" });
beforeEach(async () => {
  await api.empty();
  ada = await signUpUser(api);
  await setUnverifiedEmail(api, ada, ada.email);
  await api.query("UPDATE users SET email_is_verified = false");
});

const read = async ({ uid, browser }: Pick<TestUser, "uid" | "browser"> = ada) =>
  User.parse(await (await api.request("GET", `/api/users/${uid}`, browser)).json());
const save = (weeklyEmail: unknown, { uid, browser } = ada) =>
  api.request("PATCH", `/api/users/${uid}`, browser, { weeklyEmail });

describe("the weekly email", () => {
  it("the weekly email is on by default, and users switch it off and on", async () => {
    expect(await read()).toMatchObject({ weeklyEmail: "on", emailIsVerified: false });
    const eve = await signUpUser(api);
    const off = await save("off");
    expect([off.status, await off.json()]).toEqual([200, { ...ada.user, emailIsVerified: false, weeklyEmail: "off" }]);
    expect([(await read()).weeklyEmail, (await read(eve)).weeklyEmail]).toEqual(["off", "on"]);
    await save("on");
    expect((await read()).weeklyEmail).toBe("on");
  });

  it("says that the mail server refused it, until it is switched on again", async () => {
    await api.query("UPDATE users SET weekly_email = 'refused'");
    await api.request("PATCH", `/api/users/${ada.uid}`, ada.browser, { showsDisclosure: true });
    expect((await read()).weeklyEmail).toBe("refused");
    await save("on");
    expect((await read()).weeklyEmail).toBe("on");
  });

  it("offers no weekly email without a sender", async () => {
    const other = await startTestApi({ SMTP_FROM: null }, { replicaOf: api });
    const response = await other.request("GET", `/api/users/${ada.uid}`, ada.browser);
    expect(await response.json()).toMatchObject({ weeklyEmail: null });
    await other.stop();
  });
});

describe("whether the address is verified", () => {
  it("knows a verified address from the first login after the user opened the link", async () => {
    await verifyEmail(api, ada);
    expect((await read()).emailIsVerified).toBe(false);
    const browser = await logIn(api, await signIn(api, ada), ada.browser);
    expect((await read({ ...ada, browser })).emailIsVerified).toBe(true);
  });
});

describe("the address in an email", () => {
  const token = async () => {
    const [row] = await api.query(`SELECT weekly_email_token AS token FROM users WHERE id = ${ada.user.id}`);
    return String(row?.token);
  };
  const activityByVisitors = async () => {
    const rows = await api.query(`SELECT action FROM audit_log
      WHERE actor = 'visitor' AND owner_id = ${ada.user.id} AND action = 'account.changed'`);
    return rows.map(({ action }) => action);
  };
  const pathOf = (value: string) => `${UNSUBSCRIBE_PATH}?token=${value}`;
  const oneClick = (path: string, headers: Record<string, string> = {}) =>
    fetch(api.url + path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: "List-Unsubscribe=One-Click",
    });

  it("shows a page with a button, and changes nothing", async () => {
    const response = await fetch(api.url + pathOf(await token()));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='; .*form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(html).toContain("Stop these emails?");
    expect(html).toContain('<form method="post"><button>');
    expect((await read()).weeklyEmail).toBe("on");
  });

  it("ends the emails by a POST without a session, also if it is repeated", async () => {
    const path = pathOf(await token());
    for (const _attempt of [1, 2]) {
      const response = await oneClick(path);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("You will get no more of these emails"),
      ]);
    }
    expect((await read()).weeklyEmail).toBe("off");
    expect(await activityByVisitors()).toEqual(["account.changed"]);
  });

  it("ends only those of its user", async () => {
    const eve = await signUpUser(api);
    await oneClick(pathOf(await token()));
    expect((await read(eve)).weeklyEmail).toBe("on");
  });

  it("ends the alerts of its webhook, and no others", async () => {
    const events = ["link.created"];
    await confirmEmail(api, ada);
    for (const url of ["mailto:", "https://hooks.example/"])
      await api.post("/api/webhooks", { url, events }, ada.browser);
    const [row] = await api.query("SELECT unsubscribe_token AS token FROM webhooks WHERE url = 'mailto:'");
    for (const _attempt of [1, 2]) expect((await oneClick(pathOf(String(row?.token)))).status).toBe(200);
    const webhooks = await api.request("GET", "/api/webhooks", ada.browser);
    expect(await webhooks.json()).toMatchObject([
      { url: "mailto:", state: "disabled", disabledReason: null },
      { url: "https://hooks.example/", state: "works" },
    ]);
    expect((await read()).weeklyEmail).toBe("on");
    expect(await api.query("SELECT action FROM audit_log WHERE actor = 'visitor' AND action LIKE 'webhook.%'")).toEqual(
      [{ action: "webhook.changed" }],
    );
  });

  it("a page of another site cannot use the address in an email", async () => {
    const response = await oneClick(pathOf(await token()), { origin: "https://evil.example" });
    expect(response.status).toBe(403);
    expect((await read()).weeklyEmail).toBe("on");
  });

  it("leaves no token in the log", async () => {
    const value = await token();
    await fetch(api.url + pathOf(value));
    await oneClick(pathOf(value));
    expect(JSON.stringify(api.lines)).not.toContain(value);
  });
});
