import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { useUnsavedForms, useUnsavedText } from "../lib/unsaved-text.ts";
import { UnsavedTextGuard } from "./unsaved-text-guard.tsx";

function TypedForm(options: Parameters<typeof useUnsavedText>[1]) {
  useUnsavedText(true, options);
  return null;
}

const SECRET = { question: "Have you saved it?", confirm: "I have" };

const SAVING = { question: "Is it being saved?", confirm: "Yes" };

function Forms({ discarded }: { discarded: () => unknown }) {
  const { discard } = useUnsavedForms();
  return (
    <>
      <TypedForm />
      <TypedForm />
      <TypedForm texts={SECRET} />
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

const click = (name: string) => userEvent.click(screen.getByText(name));
const question = () => screen.queryByRole("alertdialog")?.textContent;

test("each question is asked once for all forms that are not being saved, then the page is left", async () => {
  renderForms();
  await click("Other page");
  expect(question()).toContain("Discard what you have typed?");
  await click("Discard");
  expect(question()).toContain(SECRET.question);
  await click("I have");
  expect(screen.getByRole("heading", { name: "Other" })).toBeTruthy();
});

test.each([
  ["succeeded", async () => {}],
  ["failed", async () => Promise.reject(new Error("offline"))],
])("text that stays on the page after the agreed action %s is protected again", async (_case, action) => {
  const done = vi.fn(() => action().catch(() => {}));
  renderForms(done);
  await click("Change the view");
  await click("Discard");
  await click("I have");
  expect(done).toHaveBeenCalledOnce();
  await click("Other page");
  expect(question()).toContain("Discard what you have typed?");
});

test("a reload is held, also in browsers that only look at the returned value", () => {
  renderForms();
  const event = new Event("beforeunload", { cancelable: true });
  Object.defineProperty(event, "returnValue", { value: "", writable: true });
  dispatchEvent(event);
  expect([event.defaultPrevented, Reflect.get(event, "returnValue")]).toEqual([true, true]);
});
