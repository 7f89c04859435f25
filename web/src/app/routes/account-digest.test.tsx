import type { DigestSettings } from "@tapthru/proto/digest";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { type FakeIdentityProvider, fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";
import "./account.tsx";

const EMAIL = "anna@example.com";

let user: ReturnType<typeof userEvent.setup>;
let settings: DigestSettings;
let identity: FakeIdentityProvider;

beforeEach(() => {
  user = userEvent.setup();
  serveAccounts(EMAIL);
  identity = fakeIdentityProvider(identityFor(EMAIL));
  settings = { isAvailable: true, isOn: true, emailIsVerified: true };
  server.use(
    http.get("/api/sessions", () => HttpResponse.json([])),
    http.get("/api/digest", () => HttpResponse.json(settings)),
    http.put("/api/digest", async ({ request }) => {
      settings = { ...settings, ...((await request.json()) as { isOn: boolean }) };
      return HttpResponse.json(settings);
    }),
  );
});

const open = () => renderApp("/account/notifications", { identity });
async function section() {
  const heading = await screen.findByRole("heading", { name: "Weekly email" });
  return within(heading.closest("section") as HTMLElement);
}
const confirmButton = () => screen.findByRole("button", { name: "Confirm my address" });
const toggle = async () => (await section()).findByRole<HTMLInputElement>("checkbox", { name: /weekly email/ });

test("the weekly email is switched off and on", async () => {
  await open();
  expect(await toggle()).toHaveProperty("checked", true);
  await user.click(await toggle());
  await screen.findByText("You will not get the weekly email any more.");
  expect(settings.isOn).toBe(false);
  await user.click(await toggle());
  await screen.findByText("You will get the weekly email.");
  expect(await toggle()).toHaveProperty("checked", true);
  expect((await section()).queryByRole("button")).toBeNull();
});

test("a change that was not saved is shown, and what is saved", async () => {
  server.use(http.put("/api/digest", () => new HttpResponse(null, { status: 503 })));
  await open();
  await user.click(await toggle());
  await screen.findByText("Failed to save this. Please try again.");
  expect(await toggle()).toHaveProperty("checked", true);
});

test("an address that is not confirmed gets a link, and is confirmed when the user comes back", async () => {
  settings.emailIsVerified = false;
  await open();
  await screen.findByText(/Confirm it, so that you can log in with it in every browser./);
  await user.click(await confirmButton());
  await screen.findByText(`We sent a link to ${EMAIL}. Open it, then come back to this page.`);
  settings.emailIsVerified = true;
  dispatchEvent(new Event("focus"));
  await waitFor(() =>
    expect(screen.queryByText(`We sent a link to ${EMAIL}. Open it, then come back to this page.`)).toBeNull(),
  );
});

test("a link that could not be sent can be sent again", async () => {
  settings.emailIsVerified = false;
  identity.sendEmailConfirmation = async () => {
    throw new Error("unreachable");
  };
  await open();
  await user.click(await confirmButton());
  await findToast("Failed to send the link. Please try again.");
  expect(await confirmButton()).toBeTruthy();
});

test("without a mail server the page says so", async () => {
  settings.isAvailable = false;
  await open();
  expect(await screen.findByText("This site sends no emails.")).toBeTruthy();
});
