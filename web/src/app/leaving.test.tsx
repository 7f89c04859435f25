import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { apiKey } from "../testing/api-key.ts";
import { answer, button, click, fill, isReloadHeld } from "../testing/controls.ts";
import { openAsUser } from "../testing/open-as-user.ts";
import { heldReplies, serve } from "../testing/serve.ts";
import { SECRET, webhook } from "../testing/webhooks.ts";
import "./routes/account.tsx";

const KEY = `tt_abcd${"x".repeat(32)}`;
const DISCARD = "Discard what you have typed?";

const open = () => openAsUser("/account/developers");
const leave = () => userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
const isAsked = () => screen.queryByRole("alertdialog") !== null;

beforeEach(() => {
  serve("POST /api/keys", () => ({ ...apiKey(), key: KEY }));
});

test.each([
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["the button above", () => click("New API key")],
])("a form with text is closed by %s after a question, which returns the focus", async (_case, close) => {
  await open();
  await click("New API key");
  await close();
  expect([isAsked(), document.activeElement?.textContent]).toEqual([false, "New API key"]);
  await click("New API key");
  await fill("Name of the key", "Script");
  await close();
  await answer("Cancel");
  expect(screen.getByLabelText("Name of the key")).toHaveProperty("value", "Script");
  await userEvent.click(screen.getByLabelText("Name of the key"));
  await close();
  await answer("Discard");
  expect(screen.queryByLabelText("Name of the key")).toBeNull();
  expect(document.activeElement?.textContent).toBe("New API key");
});

test("the text of a second form is not lost with the first one, nor by a link without a question", async () => {
  await open();
  await click("New API key");
  await fill("Name of the key", "Script");
  await click("New webhook");
  await fill("Address", "https://hooks.example");
  await userEvent.keyboard("{Escape}");
  await answer("Discard");
  expect(screen.queryByLabelText("Address")).toBeNull();
  expect(screen.getByLabelText("Name of the key")).toHaveProperty("value", "Script");
  expect(isReloadHeld()).toBe(true);
  await leave();
  expect(screen.getByRole("alertdialog").textContent).toContain(DISCARD);
  await answer("Cancel");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([isAsked(), isReloadHeld()]).toEqual([false, false]);
  await leave();
  expect(await screen.findByRole("heading", { name: "Your Links" })).toBeTruthy();
});

test("a shown secret is not lost by the button above it, a link or a reload without a question", async () => {
  await open();
  await click("New API key");
  await fill("Name of the key", "Script{Enter}");
  await screen.findByText(KEY);
  await click("New API key");
  await answer("Cancel");
  await leave();
  await answer("Cancel");
  expect(screen.getByText(KEY)).toBeTruthy();
  expect(isReloadHeld()).toBe(true);
  await click("New API key");
  await answer("I have saved it");
  expect([screen.queryByText(KEY), isReloadHeld()]).toEqual([null, false]);
});

test("a form whose secret is still awaited is not closed without a question", async () => {
  const { released, release } = heldReplies();
  serve("POST /api/webhooks", () => released.then(() => ({ ...webhook(), secret: SECRET })));
  await open();
  await click("New webhook");
  await fill("Address", "https://hooks.example{Enter}");
  await button("Creating...");
  await click("New webhook");
  await answer("Cancel");
  release();
  expect(await screen.findByText(SECRET)).toBeTruthy();
});
