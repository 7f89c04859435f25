import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useFakeClock } from "../../../testing/fake-timers.ts";
import { PageText } from "./page-text.tsx";

const LINK = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const onText = vi.fn<(text: string) => void>();

const target = () => screen.queryByText("Drop your Amazon links here");

/** Sends a drag event. Returns whether the page accepts it. */
function drag(type: string, data: Record<string, string> = {}, at: Element = document.body) {
  const dataTransfer = new DataTransfer();
  for (const [format, text] of Object.entries(data)) dataTransfer.setData(format, text);
  const event = new DragEvent(type, { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
  act(() => {
    at.dispatchEvent(event);
  });
  return event.defaultPrevented;
}

const startDragging = (data: Record<string, string>) => expect(drag("dragover", data)).toBe(true);

beforeEach(() => {
  onText.mockReset();
  render(
    <>
      <PageText fieldName="url" onPaste={() => {}} onDrop={onText} />
      <input name="url" aria-label="Link" />
      <input name="search" aria-label="Search" />
    </>,
  );
});

test.each(["text/plain", "text/uri-list"])("a drop of %s anywhere passes the text on", (type) => {
  startDragging({ [type]: LINK });
  expect(target()).not.toBeNull();
  drag("drop", { [type]: LINK });
  expect(onText.mock.calls).toEqual([[LINK]]);
  expect(target()).toBeNull();
});

test("the drop target disappears when the drag leaves the page or is cancelled", () => {
  startDragging({ "text/plain": LINK });
  useFakeClock();
  drag("dragover", { "text/plain": LINK });
  act(() => vi.advanceTimersByTime(1_000));
  expect(target()).toBeNull();
});

test("files, and what is dragged from the page itself, are not accepted", () => {
  startDragging({ "text/plain": LINK });
  expect(drag("dragover", {})).toBe(false);
  drag("dragstart");
  expect(drag("dragover", { "text/plain": LINK })).toBe(false);
  expect(drag("drop", { "text/plain": LINK })).toBe(false);
  drag("dragend");
  expect(drag("dragover", { "text/plain": LINK })).toBe(true);
  expect(onText).not.toHaveBeenCalled();
});

test("the link field accepts a drop as the page does, other fields keep the browser's behavior", () => {
  startDragging({ "text/plain": LINK });
  const search = screen.getByRole("textbox", { name: "Search" });
  expect(drag("drop", { "text/plain": LINK }, search)).toBe(false);
  expect(onText).not.toHaveBeenCalled();
  expect(drag("drop", { "text/plain": LINK }, screen.getByRole("textbox", { name: "Link" }))).toBe(true);
  expect(onText.mock.calls).toEqual([[LINK]]);
});
