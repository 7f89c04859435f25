import { ERRORS } from "@tapthru/proto/errors";
import { eventName, isForOperators, WEBHOOK_EVENTS } from "@tapthru/proto/webhook-events";
import { listWebhookDeliveries } from "@tapthru/proto/webhooks";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { answer, button, check, click, field, fill, link, section, textsOf } from "../../testing/controls.ts";
import { apiKey, exampleOf, like, SECRET, webhook } from "../../testing/examples.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { problem, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const open = (isOperator = false) => openAsUser("/account/developers", { user: { isOperator } });
const items = async (list: string) => (await section(list)).findAllByRole("listitem");
const checkbox = (name: RegExp) => screen.getByRole("checkbox", { name });

describe("API keys", () => {
  let created: unknown[];

  beforeEach(() => {
    created = serve("POST /api/keys", () => ({ ...apiKey(), key: `tt_abcd${"x".repeat(32)}` }));
  });

  test("lists API keys with name, start, scopes, times and expiry", async () => {
    serve("GET /api/keys", () => [
      apiKey({ lastUsedAt: "2026-11-21T12:00:00.000Z", expiresAt: "2099-12-31T12:00:00.000Z" }),
      apiKey({ id: 2, name: "Old", expiresAt: "2026-01-01T12:00:00.000Z", scopes: ["links:read", "clicks:read"] }),
    ]);
    await open();
    expect(textsOf(await items("API keys"))).toEqual([
      expect.stringMatching(
        /^Nightly scripttt_abcd…See links · Create and change linksCreated Nov 20, 2026, last used Nov 21.*Expires Dec 31, 2099, /,
      ),
      expect.stringMatching(/^OldExpiredtt_abcd…See links · See clicks.*never used/),
    ]);
  });

  test("requires a scope", async () => {
    await open();
    await click("New API key");
    await check(/^See links/);
    await fill("Name of the key", " x {Enter}");
    expect(await screen.findByText("Please choose at least one permission")).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.getAttribute("type")).toBe("checkbox"));
    expect(created).toEqual([]);
    await check(/^See clicks/);
    await click("Create API key");
    await screen.findByText("Copy your new API key now");
    expect(created).toEqual([{ name: "x", scopes: ["clicks:read"], expiresAt: null }]);
  });
});

test.each([
  ["operators", true, 1],
  ["other users", false, 0],
])("the access of operators and the event of reports, for %s", async (_who, isOperator, count) => {
  await open(isOperator);
  await click("New API key");
  expect(screen.getAllByRole("checkbox")).not.toEqual([]);
  expect(screen.queryAllByRole("checkbox", { name: /^Operate this site/ })).toHaveLength(count);
  await click("Cancel");
  await click("New webhook");
  const events = WEBHOOK_EVENTS.filter((type) => isOperator || !isForOperators(type));
  for (const type of events) checkbox(new RegExp(`^${eventName(type)}.{20}`));
  expect(screen.getAllByRole("checkbox")).toHaveLength(events.length);
});

describe("a webhook", () => {
  let webhooks: ReturnType<typeof webhook>[];

  beforeEach(() => {
    webhooks = [webhook()];
    serve("GET /api/webhooks", () => webhooks);
    serve<{ enabled?: boolean }>("PATCH /api/webhooks/:id", ({ body: { enabled = true, ...changes } }) => {
      webhooks = [webhook({ ...webhooks[0], state: enabled ? "works" : "disabled", ...changes })];
      return webhooks[0];
    });
  });

  test("needs an event, and shows at the field that an address is refused", async () => {
    const sent = serve("POST /api/webhooks", () => problem("webhook-url-refused"));
    await open();
    await click("New webhook");
    for (const each of screen.getAllByRole("checkbox")) await userEvent.click(each);
    await fill("Address", " https://localhost{Enter}");
    await screen.findByText("Please choose at least one event");
    await check(/^Link created/);
    await click("Create webhook");
    await waitFor(() => expect(field("Address").getAttribute("aria-invalid")).toBe("true"));
    await screen.findByText(ERRORS["webhook-url-refused"].message);
    expect(sent).toEqual([{ url: "https://localhost", events: ["link.created"] }]);
  });

  test("lists webhooks for programs; alerts for people are on another page, and say why one is off", async () => {
    const refused = { id: 6, url: "mailto:", state: "disabled", disabledReason: "refused" } as const;
    webhooks = [webhook(), webhook(refused), webhook({ id: 7, url: "https://hooks.slack.com" })];
    await open();
    expect(textsOf(await items("Webhooks"))).toEqual([expect.stringMatching(/^https:\/\/hooks\.anna/)]);
    await userEvent.click(await link("Alerts"));
    const alerts = await (await section("Alerts")).findAllByRole("heading", { level: 3 });
    expect(textsOf(alerts)).toEqual(["Your emailDisabled", "https://hooks.slack.comEnabled"]);
    await screen.findByText(
      /^The mail server says that your email address does not exist or takes no emails. Events are/,
    );
  });

  test("a failing webhook says since when it fails, and can be disabled and enabled", async () => {
    webhooks = [webhook({ state: "failing", failingSince: "2026-11-20T12:00:00.000Z" })];
    await open();
    const [failing] = await items("Webhooks");
    expect(failing?.textContent).toMatch(/^https:\/\/hooks.anna.example\/tapthruFailingLink created · Link deleted/);
    expect(failing?.textContent).toContain("No event has been confirmed since Nov 20, 2026");
    await click(/^Disable /);
    await screen.findByText("Events are neither recorded nor sent.", { exact: false });
    await click(/^Enable /);
    await findToast("The webhook is enabled.");
    await button(/^Disable /);
  });

  test("a webhook can have other events, at least one", async () => {
    await open();
    await click(/^Change events /);
    expect(document.activeElement).toBe(checkbox(/^Link created/));
    await check(/^Link created/);
    await check(/^Link deleted/);
    await click("Save");
    await screen.findByText("Please choose at least one event");
    await check(/^Link needs attention/);
    await click("Save");
    await findToast("The events of the webhook were changed.");
    expect(webhooks).toEqual([webhook({ events: ["link.unhealthy"] })]);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Change events"));
  });

  test("a webhook for emails has no address and no secret, and gets what needs attention", async () => {
    webhooks = [];
    const sent = serve("POST /api/webhooks", () => {
      webhooks = [webhook({ url: "mailto:" })];
      return { ...webhooks[0], secret: SECRET };
    });
    await openAsUser("/account/notifications");
    await screen.findByText("You have no alerts.");
    await click("New alert");
    expect(checkbox(/^Link created/)).toHaveProperty("checked", false);
    await fill("Quiet from (optional)", "22:00");
    await click("Create alert");
    await screen.findByText("Please enter both times");
    await fill("Quiet until", "07:00");
    await click("Create alert");
    expect(await (await section("Alerts")).findByRole("heading", { name: /^Your email/ })).toBeTruthy();
    const events = expect.arrayContaining(["link.unhealthy", "domain.failing"]);
    const quietHours = { from: "22:00", to: "07:00", timeZone: expect.any(String) };
    expect(sent).toEqual([{ url: "mailto:", events, quietHours }]);
    expect([screen.queryByText(SECRET), screen.queryByRole("button", { name: /^Renew secret / })]).toEqual([
      null,
      null,
    ]);
  });

  test("a webhook for people can have quiet hours, which need both times", async () => {
    webhooks = [webhook({ url: "https://hooks.slack.com", events: ["link.deleted"] })];
    await openAsUser("/account/notifications");
    await click(/^Events and quiet hours /);
    await fill("Quiet from (optional)", "22:00");
    await click("Save");
    await screen.findByText("Please enter both times");
    await fill("Quiet until", "07:00");
    await click("Save");
    await screen.findByText(/^Quiet from 22:00 to 07:00 \(/);
    const quietHours = { from: "22:00", to: "07:00", timeZone: expect.any(String) };
    expect(webhooks).toMatchObject([{ events: ["link.deleted"], quietHours }]);
  });

  test("renews the secret after a question, and not again for 24 hours; it may be lost with the reply", async () => {
    serve("POST /api/webhooks/:id/secret", () => {
      webhooks = [webhook({ previousSecretUntil: "2026-11-21T12:00:00.000Z" })];
      return { ...webhooks[0], secret: SECRET };
    });
    serve("POST /api/webhooks/:id/secret", () => HttpResponse.error(), { once: true });
    await open();
    await click(/^Renew secret /);
    await answer("Renew secret");
    await findToast("No reply arrived. If the secret can't be renewed now");
    await click(/^Renew secret /);
    await answer("Renew secret");
    await screen.findByText(SECRET);
    await screen.findByText(/^The secret before the last one works until Nov 21, 2026/);
    expect(screen.queryByRole("button", { name: /^Renew secret / })).toBeNull();
    await click("I have saved the secret");
    expect(document.activeElement).not.toBe(document.body);
  });

  describe("lists events, which", () => {
    const [example] = exampleOf(listWebhookDeliveries);
    const delivery = like(example, {
      state: "delivered",
      shortCode: "lamp",
      attempts: 1,
      responseStatus: 204,
      nextAttemptAt: null,
    });
    const rows = async () => textsOf((await items("Webhooks")).slice(1));

    test("lists no events at first, then their state, response and attempts", async () => {
      const failed = { type: "link.deleted", shortCode: null, state: "failed", responseStatus: null } as const;
      serve("GET /api/webhooks/:id/deliveries", () => [
        delivery({ ...failed, id: "00000000-0000-4000-8000-000000000002", attempts: 10, error: "timeout" }),
        delivery(),
      ]);
      serve("GET /api/webhooks/:id/deliveries", () => [], { once: true });
      await open();
      await click(/^Show events /);
      await screen.findByText("No event in the last 30 days.");
      await click("Refresh");
      await screen.findByText(/Not delivered/);
      expect(await rows()).toEqual([
        expect.stringMatching(
          /^Link deletedNot delivered. There was no response within 10 seconds. 10 attempts.Nov 20/,
        ),
        expect.stringMatching(/^Link createdlampDelivered. Response 204. 1 attempt.Nov 20/),
      ]);
    });

    test("shows events after a test was sent", async () => {
      const test = delivery({ type: "test", shortCode: null });
      serve("GET /api/webhooks/:id/deliveries", () => [test]);
      serve("POST /api/webhooks/:id/test", () => ({ ...test, state: "pending", attempts: 0, responseStatus: null }));
      await open();
      await click(/^Send test /);
      await findToast("A test will be sent in a moment.");
      expect((await rows())[0]).toMatch(/^TestDelivered. Response 204/);
    });
  });
});
