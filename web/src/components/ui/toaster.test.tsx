import { act, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { useFakeClock } from "../../testing/fake-timers.ts";
import type { ToastContent } from "./toast-viewport.tsx";
import { Toaster, useToast } from "./toaster.tsx";

function ShowButton({ name, content }: { name: string; content: ToastContent }) {
  const toast = useToast();
  return (
    <button type="button" onClick={() => toast(content)}>
      {name}
    </button>
  );
}

async function renderToaster(first: ToastContent = { title: "First", description: "Of two" }) {
  render(
    <Toaster>
      <ShowButton name="Show first" content={first} />
      <ShowButton name="Show second" content={{ title: "Second", variant: "destructive" }} />
    </Toaster>,
  );
  await act(async () => {});
}

const show = (name: "first" | "second") => fireEvent.click(screen.getByRole("button", { name: `Show ${name}` }));
const toasts = () => screen.queryAllByRole("listitem").map((toast) => toast.textContent);

describe("a toast", () => {
  // Specification 2.70
  test("the next toast replaces a toast, and closes after another 5 seconds", async () => {
    useFakeClock();
    await renderToaster();
    show("first");
    act(() => vi.advanceTimersByTime(4_000));
    expect(toasts()).toEqual(["FirstOf two"]);
    show("second");
    act(() => vi.advanceTimersByTime(4_999));
    expect(toasts()).toEqual(["Second"]);
    act(() => vi.advanceTimersByTime(1));
    expect(toasts()).toEqual([]);
  });

  // Specification 2.69
  test("a toast closed under the pointer does not pause the next one's timer", async () => {
    useFakeClock();
    await renderToaster();
    show("first");
    const close = screen.getByRole("button", { name: "Close" });
    fireEvent.pointerMove(close);
    fireEvent.click(close);
    expect(toasts()).toEqual([]);
    show("second");
    act(() => vi.advanceTimersByTime(5_000));
    expect(toasts()).toEqual([]);
  });

  // Specification 2.69
  test("runs its action", async () => {
    const onSelect = vi.fn();
    await renderToaster({ title: "Gone", action: { label: "Undo", altText: "Undo it", onSelect } });
    show("first");
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(onSelect).toHaveBeenCalledOnce();
  });

  test("the next toasts do not replace one with an action, whose time goes on", async () => {
    useFakeClock();
    const onSelect = vi.fn();
    await renderToaster({ title: "Gone", action: { label: "Undo", altText: "Undo it", onSelect } });
    show("first");
    act(() => vi.advanceTimersByTime(10_000));
    show("second");
    show("second");
    expect(toasts()).toEqual(["GoneUndo", "Second"]);
    show("first");
    expect(toasts()).toEqual(["GoneUndo", "GoneUndo"]);
    const [first] = screen.getAllByRole("button", { name: "Undo" });
    fireEvent.click(first as Element);
    expect([toasts(), onSelect.mock.calls.length]).toEqual([["GoneUndo"], 1]);
    act(() => vi.advanceTimersByTime(19_999));
    expect(toasts()).toEqual(["GoneUndo"]);
    act(() => vi.advanceTimersByTime(1));
    expect(toasts()).toEqual([]);
  });

  test("closes by its own time among others, and the oldest of four with an action goes", async () => {
    useFakeClock();
    await renderToaster({ title: "Gone", action: { label: "Undo", altText: "Undo it", onSelect: vi.fn() } });
    show("first");
    act(() => vi.advanceTimersByTime(15_000));
    for (const _ of [1, 2, 3]) show("first");
    show("second");
    expect(toasts()).toEqual(["GoneUndo", "GoneUndo", "GoneUndo", "Second"]);
    act(() => vi.advanceTimersByTime(5_000));
    expect(toasts()).toEqual(["GoneUndo", "GoneUndo", "GoneUndo"]);
    act(() => vi.advanceTimersByTime(15_000));
    expect(toasts()).toEqual([]);
  });
});

// Specification 2.72
test("F8 focuses the notifications", async () => {
  await renderToaster();
  show("first");
  fireEvent.keyDown(document.body, { code: "F8" });
  const region = screen.getByRole("region", { name: "Notifications (F8)" });
  expect(region.contains(document.activeElement)).toBe(true);
});
