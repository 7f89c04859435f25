import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { ConfirmButton, ConfirmDialog, Dialog, DialogActions } from "./dialog.tsx";
import type { ToastContent } from "./toast-viewport.tsx";
import { Toaster, useToast } from "./toaster.tsx";

const FAILURE: ToastContent = { variant: "destructive", title: "Error", description: "It failed." };
const SUCCESS: ToastContent = { title: "Success", description: "It is saved." };

let say: (content: ToastContent) => void;
let close: () => void;

function Site({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  say = useToast();
  close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Dialog title="Rename" onClose={close}>
          {children}
        </Dialog>
      )}
    </>
  );
}

async function open(children: ReactNode) {
  render(
    <Toaster>
      <Site>{children}</Site>
    </Toaster>,
  );
  await act(async () => {});
}

const press = () => fireEvent.click(screen.getByRole("button", { name: "Open" }));
const dialog = () => within(screen.getByRole("dialog", { name: "Rename" }));
const toasts = () => screen.queryAllByRole("listitem").map((toast) => toast.textContent);

const NAME = <input aria-label="Name" />;
const ACTIONS = (
  <DialogActions pending={false} onCancel={() => {}}>
    <button type="button">Save</button>
  </DialogActions>
);

test.each([
  ["a text", NAME, "Name"],
  ["a text after checkboxes", [<input key="" type="checkbox" />, <input key="1" aria-label="Name" />], "Name"],
  ["a choice", <select key="" aria-label="Channel" />, "Channel"],
  ["the chosen option", <input key="" type="radio" aria-label="Off" defaultChecked />, "Off"],
])("focuses the first field as soon as it is open: %s", async (_case, field, name) => {
  await open(field);
  press();
  expect(document.activeElement).toBe(dialog().getByLabelText(name));
});

test("leaves a color to those who look for it", async () => {
  await open(<input type="color" aria-label="Color" />);
  press();
  expect(document.activeElement).not.toBe(dialog().getByLabelText("Color"));
});

describe("while it is open", () => {
  test.each([
    [FAILURE, "alert", "It failed."],
    [SUCCESS, "status", "It is saved."],
  ] as const)("says above its buttons what a toast would say behind it: %j", async (content, role, text) => {
    await open(ACTIONS);
    press();
    act(() => say(content));
    const said = dialog().getByRole(role);
    expect([said.textContent, toasts()]).toEqual([text, []]);
    const save = dialog().getByRole("button", { name: "Save" });
    expect(said.compareDocumentPosition(save)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    act(() => close());
    expect([screen.queryByText(text), toasts()]).toEqual([null, []]);
  });

  test("says it at its end without buttons, and the next text instead", async () => {
    await open(NAME);
    press();
    act(() => say(FAILURE));
    act(() => say(SUCCESS));
    expect([dialog().queryByRole("alert"), dialog().getByRole("status").textContent]).toEqual([null, "It is saved."]);
  });

  test("a message that appears as it closes is a toast", async () => {
    await open(ACTIONS);
    press();
    act(() => {
      say(SUCCESS);
      close();
    });
    expect(toasts()).toEqual(["SuccessIt is saved."]);
  });

  test("a message with a button stays a toast", async () => {
    await open(ACTIONS);
    press();
    act(() => say({ description: "Deleted.", action: { label: "Undo", altText: "Undo", onSelect: () => {} } }));
    expect(toasts()).toEqual(["Deleted.Undo"]);
  });

  test("a toast of before stays outside", async () => {
    await open(ACTIONS);
    act(() => say(SUCCESS));
    press();
    expect([dialog().queryByText("It is saved."), toasts()]).toEqual([null, ["SuccessIt is saved."]]);
  });

  test("a question over it says what follows", async () => {
    await open(<ConfirmButton label="Delete" question="Delete it?" isPending={false} onConfirm={() => {}} />);
    press();
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    act(() => say(FAILURE));
    expect(within(screen.getByRole("alertdialog")).getByRole("alert").textContent).toBe("It failed.");
    expect(screen.getAllByText("It failed.")).toHaveLength(1);
  });
});

test.each([
  ["its button", () => fireEvent.click(screen.getByRole("button", { name: "Close" }))],
  ["Escape", () => fireEvent(screen.getByRole("alertdialog"), new Event("cancel", { cancelable: true }))],
])("a confirmation whose action runs is closed by %s, and the action goes on", async (_how, close) => {
  const onClose = vi.fn();
  render(<ConfirmDialog question="Delete it?" confirmLabel="Delete" pending {...{ onConfirm() {}, onClose }} />);
  close();
  expect(onClose).toHaveBeenCalledOnce();
});

test("a double click in a confirmation acts once", async () => {
  const onConfirm = vi.fn();
  await open(
    <ConfirmDialog question="Delete it?" confirmLabel="Delete" pending={false} {...{ onConfirm, onClose() {} }} />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  const button = screen.getByRole("button", { name: "Delete" });
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(onConfirm).toHaveBeenCalledOnce();
});
