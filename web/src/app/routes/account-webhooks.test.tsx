import { messages } from "@tapthru/proto/rules/messages";
import type { WebhookEvent } from "@tapthru/proto/rules/webhooks";
import type { Webhook, WebhookDelivery } from "@tapthru/proto/webhooks";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const EMAIL = "anna@example.com";
const SECRET = `whsec_${"a".repeat(43)}=`;
const URL = "https://hooks.example/in";

const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: 1,
  url: URL,
  events: ["link.created", "import.finished"],
  state: "works",
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-11-20T12:00:00.000Z",
  ...changes,
});

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

let user: ReturnType<typeof userEvent.setup>;
let webhooks: Webhook[];
let deliveries: WebhookDelivery[];
let sent: unknown[];

beforeEach(() => {
  user = userEvent.setup();
  serveAccounts(EMAIL);
  webhooks = [];
  deliveries = [];
  sent = [];
  server.use(
    http.get("/api/sessions", () => HttpResponse.json([])),
    http.get("/api/webhooks", () => HttpResponse.json(webhooks)),
    http.get("/api/webhooks/:id/deliveries", () => HttpResponse.json(deliveries)),
    http.post("/api/webhooks", async ({ request }) => {
      sent.push(await request.json());
      webhooks = [...webhooks, webhook()];
      return HttpResponse.json({ ...webhook(), secret: SECRET }, { status: 201 });
    }),
    http.patch("/api/webhooks/:id", async ({ request }) => {
      const body = (await request.json()) as { enabled?: boolean; events?: WebhookEvent[] };
      const { enabled = true, ...events } = body;
      webhooks = [webhook({ state: enabled ? "works" : "disabled", ...events })];
      return HttpResponse.json(webhooks[0]);
    }),
    http.post("/api/webhooks/:id/secret", () => {
      webhooks = [webhook({ previousSecretUntil: "2026-11-21T12:00:00.000Z" })];
      return HttpResponse.json({ ...webhooks[0], secret: SECRET });
    }),
    http.delete("/api/webhooks/:id", () => {
      webhooks = [];
      return HttpResponse.json({});
    }),
  );
});

const open = () => renderApp("/account/developers", { identity: fakeIdentityProvider(identityFor(EMAIL)) });

async function section() {
  const heading = await screen.findByRole("heading", { name: "Webhooks" });
  return within(heading.closest("section") as HTMLElement);
}
const button = async (name: string) => (await section()).findByRole("button", { name });
const click = async (name: string) => user.click(await button(name));
const confirm = async (name: string) =>
  user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name }));

describe("the form", () => {
  test("creates a webhook and shows its secret once", async () => {
    await open();
    await (await section()).findByText("You have no webhooks.");
    await click("New webhook");
    await user.type(screen.getByLabelText("Address"), ` ${URL}`);
    await user.click(screen.getByRole("checkbox", { name: /^Link changed/ }));
    await click("Create webhook");
    expect((await (await section()).findByText(SECRET)).textContent).toBe(SECRET);
    expect(document.activeElement?.textContent).toBe("Copy the secret of your webhook now");
    expect(sent).toEqual([
      {
        url: URL,
        events: [
          "link.created",
          "link.deleted",
          "link.unhealthy",
          "import.finished",
          "domain.failing",
          "channel.failing",
        ],
      },
    ]);
    await click("I have saved the secret");
    expect(screen.queryByText(SECRET)).toBeNull();
    expect(document.activeElement?.textContent).toBe("New webhook");
    expect((await section()).getByText(URL)).toBeTruthy();
  });

  test("that is closed while the webhook is being created asks first, because the secret would be lost", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(http.post("/api/webhooks", () => released.then(() => undefined)));
    await open();
    await click("New webhook");
    await user.type(screen.getByLabelText("Address"), URL);
    await click("Create webhook");
    await click("New webhook");
    await confirm("Cancel");
    release();
    expect(await screen.findByText(SECRET)).toBeTruthy();
  });

  test("needs an event, and shows at the field that an address is refused", async () => {
    server.use(
      http.post("/api/webhooks", () =>
        HttpResponse.json(
          { code: "webhook-url-refused", title: messages.webhookUrlRefused },
          { status: 422, headers: { "Content-Type": "application/problem+json" } },
        ),
      ),
    );
    await open();
    await click("New webhook");
    for (const checkbox of screen.getAllByRole("checkbox")) await user.click(checkbox);
    await user.type(screen.getByLabelText("Address"), "https://localhost");
    await click("Create webhook");
    await (await section()).findByText(messages.webhookEventRequired);
    await user.click(screen.getByRole("checkbox", { name: /^Link created/ }));
    await click("Create webhook");
    await waitFor(() => expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).toBe("true"));
    await (await section()).findByText(messages.webhookUrlRefused);
  });
});

describe("a webhook", () => {
  test("that fails says since when; one that is disabled can be enabled", async () => {
    webhooks = [
      webhook({ state: "failing", failingSince: "2026-11-20T12:00:00.000Z" }),
      webhook({ id: 2, url: "https://other.example/", state: "disabled" }),
    ];
    await open();
    const [failing, disabled] = await (await section()).findAllByRole("listitem");
    expect(failing?.textContent).toMatch(/^https:\/\/hooks.example\/inFailingLink created · Import/);
    expect(failing?.textContent).toContain("Nothing was confirmed since Nov 20, 2026");
    expect(disabled?.textContent).toContain("Events are neither recorded nor sent.");
    await user.click(within(disabled as HTMLElement).getByRole("button", { name: "Enable" }));
    await findToast("The webhook is enabled.");
  });

  test("is disabled", async () => {
    webhooks = [webhook()];
    await open();
    await click("Disable");
    await button("Enable");
  });

  test("gets other events, at least one", async () => {
    webhooks = [webhook()];
    await open();
    await click("Change events");
    const checkbox = (name: RegExp) => screen.getByRole("checkbox", { name });
    expect(document.activeElement).toBe(checkbox(/^Link created/));
    await user.click(checkbox(/^Link created/));
    await user.click(checkbox(/^Import finished/));
    await click("Save");
    await (await section()).findByText(messages.webhookEventRequired);
    await user.click(checkbox(/^Link needs attention/));
    await click("Save");
    await findToast("The events of the webhook were changed.");
    expect(webhooks).toEqual([webhook({ events: ["link.unhealthy"] })]);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Change events"));
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  });

  test("gets a new secret after confirmation, and not another one for 24 hours", async () => {
    webhooks = [webhook()];
    await open();
    await click("Renew secret");
    await confirm("Renew secret");
    await (await section()).findByText(SECRET);
    expect(document.activeElement?.textContent).toBe("Copy the secret of your webhook now");
    await (await section()).findByText(/^The secret before the last one works until Nov 21, 2026/);
    expect((await section()).queryByRole("button", { name: "Renew secret" })).toBeNull();
    await click("I have saved the secret");
    expect(document.activeElement).not.toBe(document.body);
  });

  test("whose new secret was lost with the reply says so", async () => {
    webhooks = [webhook()];
    server.use(http.post("/api/webhooks/:id/secret", () => HttpResponse.error()));
    await open();
    await click("Renew secret");
    await confirm("Renew secret");
    await findToast("No reply arrived. If the secret can't be renewed now");
  });

  test("is deleted after confirmation", async () => {
    webhooks = [webhook()];
    await open();
    await click(`Delete ${URL}`);
    await confirm("Delete");
    await findToast("The webhook was deleted.");
    await (await section()).findByText("You have no webhooks.");
  });
});

describe("the events of a webhook", () => {
  test("have state, response and attempts; one is sent again", async () => {
    webhooks = [webhook()];
    const failed = delivery({
      id: "00000000-0000-4000-8000-000000000002",
      type: "import.finished",
      shortCode: null,
      state: "failed",
      attempts: 10,
      responseStatus: null,
      error: "timeout",
    });
    deliveries = [failed, delivery()];
    server.use(
      http.post("/api/webhooks/:id/deliveries/:deliveryId/replay", ({ params }) => {
        sent.push(params.deliveryId);
        const replayed = { ...failed, state: "pending" as const, attempts: 0, error: null };
        deliveries = [replayed, delivery()];
        return HttpResponse.json(replayed);
      }),
    );
    await open();
    await click("Show events");
    const rows = async () => (await (await section()).findAllByRole("listitem")).slice(1).map((row) => row.textContent);
    await (await section()).findByText(/Not delivered/);
    expect(await rows()).toEqual([
      expect.stringMatching(
        /^Import finishedNot delivered. There was no response within 10 seconds. 10 attempts.Nov 20/,
      ),
      expect.stringMatching(/^Link createdlampDelivered. Response 204. 1 attempt.Nov 20/),
    ]);
    await user.click((await (await section()).findAllByRole("button", { name: "Send again" }))[0] as HTMLElement);
    await findToast("The event will be sent again in a moment.");
    expect(sent).toEqual([failed.id]);
    expect((await rows())[0]).toMatch(/^Import finishedWaiting/);
  });

  test("are none, or could not be loaded", async () => {
    webhooks = [webhook()];
    server.use(
      http.get("/api/webhooks/:id/deliveries", () => new HttpResponse(null, { status: 503 }), {
        once: true,
      }),
    );
    await open();
    await click("Show events");
    await (await section()).findByText("The events could not be loaded.");
    await click("Refresh");
    await (await section()).findByText("No event in the last 30 days.");
  });
});
