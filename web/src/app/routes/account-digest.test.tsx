import type { DigestSettings } from "@tapthru/proto/digest";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { click, section } from "../../testing/controls.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { failure, serve } from "../../testing/serve.ts";

let settings: DigestSettings;

beforeEach(() => {
  settings = { isAvailable: true, isOn: true, isRefused: false, emailIsVerified: true };
  serve("GET /api/digest", () => settings);
  serve<{ isOn: boolean }>("PUT /api/digest", ({ body: { isOn } }) => {
    settings = { ...settings, isOn };
    return settings;
  });
});

const open = () => openAsUser("/account/notifications");
const toggle = async () => (await section("Weekly email")).findByRole("checkbox", { name: /weekly email/ });

test("the weekly email is switched off and on, or shown as it is saved", async () => {
  await open();
  expect(await toggle()).toHaveProperty("checked", true);
  await userEvent.click(await toggle());
  await screen.findByText("You will not get the weekly email any more.");
  expect(settings.isOn).toBe(false);
  await userEvent.click(await toggle());
  await screen.findByText("You will get the weekly email.");
  serve("PUT /api/digest", () => failure());
  await userEvent.click(await toggle());
  await screen.findByText("Failed to save this. Please try again.");
  expect(await toggle()).toHaveProperty("checked", true);
  expect((await section("Weekly email")).queryByRole("button")).toBeNull();
});

test("an address that is not confirmed gets a link, and is confirmed when the user comes back", async () => {
  settings.emailIsVerified = false;
  await open();
  await screen.findByText(/^We do not know yet that .* is yours\. Until then, you cannot give others access/);
  await click("Confirm my address");
  const sent = await screen.findByText(`We sent a link to ${ANNA.email}. Open it, then come back to this page.`);
  settings.emailIsVerified = true;
  dispatchEvent(new Event("focus"));
  await waitFor(() => expect(sent.isConnected).toBe(false));
});

test("an email that the mail server refused is off, and the page says why", async () => {
  settings = { ...settings, isOn: false, isRefused: true };
  await open();
  expect(await toggle()).toHaveProperty("checked", false);
  expect(await screen.findByText(/your email address does not exist or takes no emails/)).toBeTruthy();
});

test("without a mail server the page says so", async () => {
  settings.isAvailable = false;
  settings.emailIsVerified = false;
  await open();
  expect(await screen.findByText("This site sends no emails.")).toBeTruthy();
  expect(await screen.findByText(/ask its operator to confirm your address/)).toBeTruthy();
});
