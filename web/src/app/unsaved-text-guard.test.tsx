import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { Dialog } from "../components/ui/dialog.tsx";
import { useUnsavedForms, useUnsavedText } from "../lib/unsaved-text.ts";
import { answer, button, click, field, fill, heading, isReloadHeld } from "../testing/controls.ts";
import { apiKey, SECRET, webhook } from "../testing/examples.ts";
import { openAsUser } from "../testing/open-as-user.ts";
import { heldReplies, serve } from "../testing/serve.ts";
import { UnsavedTextGuard } from "./unsaved-text-guard.tsx";
import "./routes/account.tsx";

const KEY = `tt_abcd${"x".repeat(32)}`;
const DISCARD = "Discard what you have typed?";

const open = () => openAsUser("/account/developers");
const leave = () => userEvent.click(screen.getAllByRole("link", { name: "Dashboard" })[0] as Element);
const questionText = () => screen.queryByRole("alertdialog")?.textContent;
const name = () => field("Name of the key").value;

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
  expect([questionText(), document.activeElement?.textContent]).toEqual([undefined, "New API key"]);
  await click("New API key");
  await fill("Name of the key", "Script");
  await close();
  await answer("Cancel");
  expect(name()).toBe("Script");
  await userEvent.click(field("Name of the key"));
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
  expect([screen.queryByLabelText("Address"), name(), isReloadHeld()]).toEqual([null, "Script", true]);
  await leave();
  expect(questionText()).toContain(DISCARD);
  await answer("Cancel");
  await click("Cancel");
  expect([questionText(), isReloadHeld()]).toEqual([undefined, false]);
  await leave();
  expect(await heading("Your Links")).toBeTruthy();
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

test("a dialog that is closed asks about the forms in it alone, not about links that are created meanwhile", async () => {
  const onClose = vi.fn();
  function Editor() {
    useUnsavedText(true, { texts: QUESTION, staysOnPages: true });
    useUnsavedText(true, { texts: SAVING });
    const [isTyped, setTyped] = useState(false);
    return (
      <Dialog title="Rename" onClose={onClose}>
        {isTyped && <TypedForm />}
        <button type="button" onClick={() => setTyped(true)}>
          Type
        </button>
      </Dialog>
    );
  }
  render(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: "/",
          element: (
            <UnsavedTextGuard>
              <Editor />
            </UnsavedTextGuard>
          ),
        },
      ])}
    />,
  );
  await click("Close");
  expect([questionText(), onClose.mock.calls.length]).toEqual([undefined, 1]);
  await click("Type");
  await click("Close");
  expect(questionText()).toContain(DISCARD);
  await answer("Cancel");
  fireEvent(screen.getByRole("dialog", { name: "Rename" }), new Event("cancel", { cancelable: true }));
  await answer("Discard");
  expect([questionText(), onClose.mock.calls.length]).toEqual([undefined, 2]);
});

const QUESTION = { question: "Have you saved it?", confirm: "I have" };
const SAVING = { question: "Is it being saved?", confirm: "Yes" };

function TypedForm(options: Parameters<typeof useUnsavedText>[1]) {
  useUnsavedText(true, options);
  return null;
}

function Forms({ discarded }: { discarded: () => unknown }) {
  const { discard } = useUnsavedForms();
  return (
    <>
      <TypedForm />
      <TypedForm />
      <TypedForm texts={QUESTION} />
      <TypedForm texts={SAVING} isSaving />
      <button type="button" onClick={() => discard(discarded)}>
        Change the view
      </button>
      <Link to="/other">Other page</Link>
    </>
  );
}

function renderForms(discarded: () => unknown = () => {}) {
  const frame = (
    <UnsavedTextGuard>
      <Outlet />
    </UnsavedTextGuard>
  );
  const children = [
    { path: "/", element: <Forms discarded={discarded} /> },
    { path: "/other", element: <h1>Other</h1> },
  ];
  render(<RouterProvider router={createMemoryRouter([{ element: frame, children }])} />);
}

test("asks each question once for all forms that are not being saved, then leaves the page", async () => {
  renderForms();
  await userEvent.click(screen.getByText("Other page"));
  expect(questionText()).toContain(DISCARD);
  await answer("Discard");
  expect(questionText()).toContain(QUESTION.question);
  await answer("I have");
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
  await answer("I have");
  expect(done).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByText("Other page"));
  expect(questionText()).toContain(DISCARD);
});

test("a reload is held, also in browsers that only look at the returned value", () => {
  renderForms();
  const event = new Event("beforeunload", { cancelable: true });
  Object.defineProperty(event, "returnValue", { value: "", writable: true });
  dispatchEvent(event);
  expect([event.defaultPrevented, Reflect.get(event, "returnValue")]).toEqual([true, true]);
});
