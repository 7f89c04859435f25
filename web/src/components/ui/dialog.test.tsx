import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ConfirmDialog } from "./dialog.tsx";

test("a double click in a confirmation acts once", () => {
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      question="Delete it?"
      confirmLabel="Delete"
      pending={false}
      onConfirm={onConfirm}
      onClose={() => {}}
    />,
  );
  const button = screen.getByRole("button", { name: "Delete" });
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(onConfirm).toHaveBeenCalledOnce();
});
