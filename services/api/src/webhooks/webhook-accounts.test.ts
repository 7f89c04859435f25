import { beforeEach, describe, expect, it } from "vitest";
import { TOKEN_RECHECK_INTERVAL_MS } from "../accounts/account-checks.ts";
import { deleteAccount } from "../testing/test-accounts.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { createWebhookAccounts } from "./webhook-accounts.ts";

let ada: TestUser;
const { api, eve } = await startWorld();
beforeEach(async () => {
  await api.query("TRUNCATE webhooks CASCADE");
  ada = await signUpUser(api);
  await addWebhook(ada);
});

async function addWebhook({ browser }: Pick<TestUser, "browser">): Promise<void> {
  const webhook = { url: "https://hooks.example/in", events: ["link.created"] };
  expect((await api.post("/api/webhooks", webhook, browser)).status).toBe(201);
}

/** Makes the checks of all webhooks due. */
const letTimePass = () =>
  api.query(`UPDATE webhooks SET account_checked_at = account_checked_at - interval '${TOKEN_RECHECK_INTERVAL_MS} ms'`);
async function endedOf({ user }: TestUser): Promise<unknown[]> {
  const rows = await api.query(`SELECT account_ended FROM webhooks WHERE user_id = ${user.id}`);
  return rows.map((row) => row.account_ended);
}
const check = () => api.context.webhookAccounts.check();

describe("webhooks of an account", () => {
  it("that was deleted at the identity provider are marked, those of others are not", async () => {
    await addWebhook(eve);
    await addWebhook(ada);
    await deleteAccount(api, ada);
    await letTimePass();
    await check();
    expect(await endedOf(ada)).toEqual([true, true]);
    expect(await endedOf(eve)).toEqual([false]);
  });

  it("that is enabled again are usable", async () => {
    const identity = { findUsable: async () => new Map() };
    await letTimePass();
    await createWebhookAccounts({ ...api.context, identity }).check();
    expect(await endedOf(ada)).toEqual([true]);
    await letTimePass();
    await check();
    expect(await endedOf(ada)).toEqual([false]);
  });

  it("are checked again a few minutes after an api was killed during the check", async () => {
    await deleteAccount(api, ada);
    await letTimePass();
    const identity = { findUsable: async () => Promise.reject(new Error("killed")) };
    await createWebhookAccounts({ ...api.context, identity }).check();
    await api.query("UPDATE webhooks SET account_checked_at = account_checked_at - interval '5 minutes'");
    await check();
    expect(await endedOf(ada)).toEqual([true]);
  });

  it("stay as they are while the provider is unavailable", async () => {
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
