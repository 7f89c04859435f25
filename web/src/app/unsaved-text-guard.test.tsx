import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { useUnsavedForms, useUnsavedText } from "../lib/unsaved-text.ts";
import { answer, button, click, field, fill, heading, isReloadHeld } from "../testing/controls.ts";
import { apiKey, SECRET, webhook } from "../testing/examples.ts";
import { openAsUser } from "../testing/open-as-user.ts";
import { heldReplies, serve } from "../testing/serve.ts";
import { UnsavedTextGuard } from "./unsaved-text-guard.tsx";
import "./routes/account.tsx";

const KEY = `tt_abcd${"x".repeat(32)}`;

const open = () => openAsUser("/account/developers");
const leave = () => userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
const questionText = () => screen.queryByRole("alertdialog")?.textContent;

beforeEach(() => {
  serve("POST /api/keys", () => ({ ...apiKey(), key: KEY }));
});

test.each([
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["the button above", () => click("New API key")],
])("a short form is closed by %s without a question, and the button has the focus", async (_case, close) => {
  await open();
  await click("New API key");
  await userEvent.type(field("Name of the key"), "Script");
  await close();
  expect([questionText(), document.activeElement?.textContent]).toEqual([undefined, "New API key"]);
  expect(screen.queryByLabelText("Name of the key")).toBeNull();
});

test("what was typed in a short form is not lost by a link or a reload without a question", async () => {
  await open();
  await click("New API key");
  await userEvent.type(field("Name of the key"), "Script");
  await leave();
  await answer("Cancel");
  expect([Reflect.get(field("Name of the key"), "value"), isReloadHeld()]).toEqual(["Script", true]);
  await userEvent.type(field("Name of the key"), "{Enter}");
  await screen.findByText(KEY);
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
  expect([screen.getByText(KEY).isConnected, isReloadHeld()]).toEqual([true, true]);
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
  await button("Saving...");
  await click("New webhook");
  await answer("Cancel");
  release();
  expect(await screen.findByText(SECRET)).toBeTruthy();
});

function LongForm() {
  useUnsavedText(true);
  return null;
}

function QuietForm() {
  const { has } = useUnsavedForms();
  const [isHeld, setHeld] = useState<boolean>();
  useUnsavedText(true, { isQuiet: true });
  return (
    <>
      <button type="button" onClick={() => setHeld(has())}>{`held: ${isHeld}`}</button>
      <Link to="/other">Other page</Link>
    </>
  );
}

function LongForms({ discarded }: { discarded: () => unknown }) {
  const { discard } = useUnsavedForms();
  return (
    <>
      <LongForm />
      <LongForm />
      <button type="button" onClick={() => discard(discarded)}>
        Change the view
      </button>
      <Link to="/other">Other page</Link>
    </>
  );
}

function renderForms(discarded: () => unknown = () => {}, element = <LongForms discarded={discarded} />) {
  const frame = (
    <UnsavedTextGuard>
      <Outlet />
    </UnsavedTextGuard>
  );
  const children = [
    { path: "/", element },
    { path: "/other", element: <h1>Other</h1> },
  ];
  render(<RouterProvider router={createMemoryRouter([{ element: frame, children }])} />);
}

test("two long forms ask once, then the page is left", async () => {
  renderForms();
  await userEvent.click(screen.getByText("Other page"));
  expect(questionText()).toContain("Discard what you have typed?");
  await answer("Cancel");
  await userEvent.click(screen.getByText("Other page"));
  await answer("Discard");
  expect(await heading("Other")).toBeTruthy();
});

test.each([
  ["succeeded", async () => {}],
  ["failed", async () => Promise.reject(new Error("offline"))],
])("text that stays on the page after the agreed action %s is protected again", async (_case, action) => {
  const done = vi.fn(() => action().catch(() => {}));
  renderForms(done);
  await click("Change the view");
  await answer("Discard");
  expect(done).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByText("Other page"));
  expect(questionText()).toContain("Discard what you have typed?");
});

test("what is quiet keeps the site from reloading itself, and does not keep the user", async () => {
  renderForms(undefined, <QuietForm />);
  await click("held: undefined");
  await button("held: true");
  expect(isReloadHeld()).toBe(false);
  await userEvent.click(screen.getByText("Other page"));
  expect(await heading("Other")).toBeTruthy();
});

test("a reload is held, also in browsers that only look at the returned value", () => {
  renderForms();
  const event = new Event("beforeunload", { cancelable: true });
  Object.defineProperty(event, "returnValue", { value: "", writable: true });
  dispatchEvent(event);
  expect([event.defaultPrevented, Reflect.get(event, "returnValue")]).toEqual([true, true]);
});
