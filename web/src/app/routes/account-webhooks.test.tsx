import { ERRORS } from "@tapthru/proto/errors";
import { WEBHOOK_EVENTS } from "@tapthru/proto/rules/webhooks";
import type { Webhook, WebhookDelivery } from "@tapthru/proto/webhooks";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { WEBHOOK_EVENT_NAMES } from "../../features/webhooks/webhook-form.tsx";
import { problem } from "../../testing/accounts-server.ts";
import { answer, button, click, section } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { failure, serve } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";
import { SECRET, webhook } from "../../testing/webhooks.ts";

let webhooks: Webhook[];

beforeEach(() => {
  webhooks = [webhook()];
  serve("GET /api/webhooks", () => webhooks);
  serve<{ enabled?: boolean }>("PATCH /api/webhooks/:id", ({ body: { enabled = true, ...events } }) => {
    webhooks = [webhook({ state: enabled ? "works" : "disabled", ...events })];
    return webhooks[0];
  });
});

const open = () => openAsUser("/account/developers");
const items = async () => (await section("Webhooks")).findAllByRole("listitem");
const checkbox = (name: RegExp) => screen.getByRole("checkbox", { name });

test("a webhook needs an event, and shows at the field that an address is refused", async () => {
  serve("POST /api/webhooks", () => problem("webhook-url-refused"));
  await open();
  await click("New webhook");
  for (const each of screen.getAllByRole("checkbox")) await userEvent.click(each);
  await userEvent.type(screen.getByLabelText("Address"), "https://localhost{Enter}");
  await screen.findByText("Please choose at least one event");
  await userEvent.click(checkbox(/^Link created/));
  await click("Create webhook");
  await waitFor(() => expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).toBe("true"));
  await screen.findByText(ERRORS["webhook-url-refused"].message);
});

test("alerts are for people, and webhooks for programs", async () => {
  webhooks = [webhook(), webhook({ id: 6, url: "mailto:" }), webhook({ id: 7, url: "https://hooks.slack.com" })];
  await open();
  expect((await items()).map(({ textContent }) => textContent?.slice(0, 16))).toEqual(["https://hooks.ex"]);
  await userEvent.click(screen.getByRole("link", { name: "Notifications" }));
  const alerts = await (await section("Alerts")).findAllByRole("heading", { level: 3 });
  expect(alerts.map(({ textContent }) => textContent)).toEqual(["Your emailEnabled", "https://hooks.slack.comEnabled"]);
});

test("operators can choose each event", async () => {
  await openAsUser("/account/developers", { user: { isOperator: true } });
  await click("New webhook");
  for (const type of WEBHOOK_EVENTS) checkbox(new RegExp(`^${WEBHOOK_EVENT_NAMES[type]}.{20}`));
  expect(screen.getAllByRole("checkbox")).toHaveLength(WEBHOOK_EVENTS.length);
});

test("a webhook that the mail server refused says why it is disabled", async () => {
  webhooks = [webhook({ url: "mailto:", state: "disabled", disabledReason: "refused" })];
  await openAsUser("/account/notifications");
  await screen.findByText(
    /^The mail server says that your email address does not exist or takes no emails. Events are/,
  );
});

test("a webhook that fails says since when; it is disabled and enabled", async () => {
  webhooks = [webhook({ state: "failing", failingSince: "2026-11-20T12:00:00.000Z" })];
  await open();
  const [failing] = await items();
  expect(failing?.textContent).toMatch(/^https:\/\/hooks.example\/inFailingLink created · Import/);
  expect(failing?.textContent).toContain("Nothing was confirmed since Nov 20, 2026");
  await click("Disable");
  await screen.findByText("Events are neither recorded nor sent.", { exact: false });
  await click("Enable");
  await findToast("The webhook is enabled.");
  await button("Disable");
});

test("a webhook gets other events, at least one", async () => {
  await open();
  await click("Change events");
  expect(document.activeElement).toBe(checkbox(/^Link created/));
  await userEvent.click(checkbox(/^Link created/));
  await userEvent.click(checkbox(/^Import finished/));
  await click("Save");
  await screen.findByText("Please choose at least one event");
  await userEvent.click(checkbox(/^Link needs attention/));
  await click("Save");
  await findToast("The events of the webhook were changed.");
  expect(webhooks).toEqual([webhook({ events: ["link.unhealthy"] })]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Change events"));
});

describe("an alert on Notifications", () => {
  const openAlerts = () => openAsUser("/account/notifications");

  test("is an email without an address, of what needs attention, and has no secret", async () => {
    let sent: unknown;
    serve("POST /api/webhooks", ({ body }) => {
      sent = body;
      webhooks = [webhook({ url: "mailto:" })];
      return { ...webhooks[0], secret: SECRET };
    });
    webhooks = [];
    await openAlerts();
    await screen.findByText("You have no alerts.");
    await click("New alert");
    expect(checkbox(/^Link created/)).toHaveProperty("checked", false);
    await click("Create alert");
    const alerts = await section("Alerts");
    expect(await alerts.findByText("Your email")).toBeTruthy();
    expect(sent).toMatchObject({
      url: "mailto:",
      events: expect.arrayContaining(["link.unhealthy", "clicks.unusual"]),
    });
    expect([screen.queryByText(SECRET), screen.queryByRole("button", { name: "Renew secret" })]).toEqual([null, null]);
  });

  test("gets quiet hours, which need both times", async () => {
    let sent: unknown;
    webhooks = [webhook({ url: "https://hooks.slack.com", events: ["import.finished"] })];
    serve<Partial<Webhook>>("PATCH /api/webhooks/:id", ({ body }) => {
      sent = body;
      webhooks = [webhook({ url: "https://hooks.slack.com", ...body })];
      return webhooks[0];
    });
    await openAlerts();
    await click("Events and quiet hours");
    await userEvent.type(screen.getByLabelText("Quiet from (optional)"), "22:00");
    await click("Save");
    await screen.findByText("Please enter both times");
    await userEvent.type(screen.getByLabelText("Quiet until"), "07:00");
    await click("Save");
    await screen.findByText(/^Quiet from 22:00 to 07:00 \(/);
    const quietHours = { from: "22:00", to: "07:00", timeZone: expect.any(String) };
    expect(sent).toEqual({ events: ["import.finished"], quietHours });
  });
});

describe("the secret of a webhook", () => {
  test("is renewed after a question, and not again for 24 hours", async () => {
    serve("POST /api/webhooks/:id/secret", () => {
      webhooks = [webhook({ previousSecretUntil: "2026-11-21T12:00:00.000Z" })];
      return { ...webhooks[0], secret: SECRET };
    });
    await open();
    await click("Renew secret");
    await answer("Renew secret");
    await screen.findByText(SECRET);
    await screen.findByText(/^The secret before the last one works until Nov 21, 2026/);
    expect(screen.queryByRole("button", { name: "Renew secret" })).toBeNull();
    await click("I have saved the secret");
    expect(document.activeElement).not.toBe(document.body);
  });

  test("may have been lost with the reply, which is said", async () => {
    serve("POST /api/webhooks/:id/secret", () => HttpResponse.error());
    await open();
    await click("Renew secret");
    await answer("Renew secret");
    await findToast("No reply arrived. If the secret can't be renewed now");
  });
});

describe("the events of a webhook", () => {
  const delivery = (changes: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
    id: "00000000-0000-4000-8000-000000000001",
    type: "link.created",
    state: "delivered",
    shortCode: "lamp",
    createdAt: "2026-11-20T12:00:00.000Z",
    attempts: 1,
    lastAttemptAt: "2026-11-20T12:00:01.000Z",
    nextAttemptAt: null,
    responseStatus: 204,
    error: null,
    ...changes,
  });

  test("have state, response and attempts; one is sent again", async () => {
    let last = delivery({
      ...{ id: "00000000-0000-4000-8000-000000000002", type: "import.finished", shortCode: null },
      ...{ state: "failed", attempts: 10, responseStatus: null, error: "timeout" },
    });
    serve("GET /api/webhooks/:id/deliveries", () => [last, delivery()]);
    serve("POST /api/webhooks/:id/deliveries/:deliveryId/replay", ({ params }) => {
      last = { ...last, id: String(params.deliveryId), state: "pending", attempts: 0, error: null };
      return last;
    });
    await open();
    await click("Show events");
    await screen.findByText(/Not delivered/);
    const rows = async () => (await items()).slice(1).map((row) => row.textContent);
    expect(await rows()).toEqual([
      expect.stringMatching(
        /^Import finishedNot delivered. There was no response within 10 seconds. 10 attempts.Nov 20/,
      ),
      expect.stringMatching(/^Link createdlampDelivered. Response 204. 1 attempt.Nov 20/),
    ]);
    await userEvent.click(within((await items())[1] as HTMLElement).getByRole("button", { name: "Send again" }));
    await findToast("The event will be sent again in a moment.");
    expect((await rows())[0]).toMatch(/^Import finishedWaiting/);
  });

  test("are shown after a test was sent", async () => {
    const test = delivery({ type: "test", shortCode: null });
    serve("GET /api/webhooks/:id/deliveries", () => [test]);
    serve("POST /api/webhooks/:id/test", () => ({ ...test, state: "pending", attempts: 0, responseStatus: null }));
    await open();
    await click("Send test");
    await findToast("A test will be sent in a moment.");
    expect((await items())[1]?.textContent).toMatch(/^TestDelivered. Response 204/);
  });

  test("are none, or could not be loaded", async () => {
    serve("GET /api/webhooks/:id/deliveries", () => []);
    serve("GET /api/webhooks/:id/deliveries", () => failure(), { once: true });
    await open();
    await click("Show events");
    await screen.findByText("The events could not be loaded.");
    await click("Refresh");
    await screen.findByText("No event in the last 30 days.");
  });
});
