import { act, render, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Toaster } from "../../../components/ui/toaster.tsx";
import { noteOf, pasteOnPage } from "../../../testing/controls.ts";
import { useFakeClock } from "../../../testing/fake-timers.ts";
import { LinkField } from "./link-field.tsx";
import { TYPING_DELAY_MS } from "./use-link-field.ts";

const UNTAGGED = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const PRODUCT = `${UNTAGGED}?tag=me-21`;
const OTHER = "https://www.amazon.com/dp/B0ZZ1Y2X3Z";
const INVALID = "Please enter a valid Amazon URL";

let user: UserEvent;
const onLink = vi.fn<(url: string) => void>();
const onLinks = vi.fn<(addresses: string[]) => void>();
const onEdit = vi.fn<() => void>();
let setPending: (isPending: boolean) => void;

const input = () => screen.getByPlaceholderText<HTMLInputElement>("A link");
const note = () => noteOf(input());
/** The validation message of the field, or null. */
const validationMessage = () => (input().getAttribute("aria-invalid") === "true" ? note() : null);
const other = () => screen.getByRole("button", { name: "Copy link" });
/** Sets the text as autofill and phone keyboards do, which insert more than one character at once. */
const insert = (text: string) =>
  act(() => {
    input().value = text;
    input().dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  });
const elapse = (ms = 10 * TYPING_DELAY_MS) => act(() => vi.advanceTimersByTime(ms));
async function paste(text: string) {
  await user.click(input());
  await user.paste(text);
}

beforeEach(() => {
  user = useFakeClock();
  for (const callback of [onLink, onLinks, onEdit]) callback.mockReset();
  const callbacks = { onLink, onLinks, onEdit };
  const page = (isPending: boolean) => (
    <MemoryRouter>
      <Toaster>
        <LinkField placeholder="A link" pending={isPending} error={undefined} {...callbacks} />
        <button type="button">Copy link</button>
        <textarea aria-label="Other" />
      </Toaster>
    </MemoryRouter>
  );
  const { rerender } = render(page(false));
  setPending = (isPending) => rerender(page(isPending));
});

describe("typing", () => {
  // Specification 2.14
  test("submits 600 ms after the last key", async () => {
    await user.type(input(), UNTAGGED.slice(0, -1));
    elapse(TYPING_DELAY_MS - 1);
    await user.type(input(), UNTAGGED.slice(-1));
    elapse(TYPING_DELAY_MS - 1);
    expect(onLink).not.toHaveBeenCalled();
    elapse(1);
    expect(onLink.mock.calls).toEqual([[UNTAGGED]]);
  });

  test.each(["?", "?tag=me", "?tag=me-21"])("typing the query %s waits for Enter, as the hint says", async (query) => {
    await user.type(input(), UNTAGGED + query);
    elapse();
    expect(onLink).not.toHaveBeenCalled();
    expect(note()).toBe("Press Enter when your link is complete.");
    await user.type(input(), "{Enter}");
    elapse();
    expect(onLink).toHaveBeenCalledTimes(1);
    expect(note()).toBe("amzn.to and a.co links work too.");
  });

  test("a word into a link's query waits for Enter, as phone keyboards insert whole words", async () => {
    await user.type(input(), `${UNTAGGED}?tag=`);
    insert(`${UNTAGGED}?tag=me`);
    elapse();
    expect(onLink).not.toHaveBeenCalled();
  });

  test("waits for a complete link, without a validation message", async () => {
    await user.type(input(), "https://www.amazon.de/dp/B0ZZ");
    elapse();
    expect(onLink).not.toHaveBeenCalled();
    expect(validationMessage()).toBeNull();
  });

  test("submits any store page that is inserted at once", async () => {
    const search = "https://www.amazon.com/s?k=lamp&tag=x-20";
    await user.type(input(), "h");
    insert(search);
    elapse(TYPING_DELAY_MS);
    expect(onLink.mock.calls).toEqual([[search]]);
    expect(onEdit).toHaveBeenCalledTimes(2);
  });
});

describe("a paste", () => {
  // Specification 2.14, 2.37
  test("submits the link in its text at once, and only once", async () => {
    await paste("Check this out amzn.eu/d/abc1234 !");
    expect(onLink.mock.calls).toEqual([["https://amzn.eu/d/abc1234"]]);
    elapse();
    await user.tab();
    expect(onLink).toHaveBeenCalledTimes(1);
  });

  const INSIDE = `https://l.facebook.com/l.php?u=${encodeURIComponent(PRODUCT)}&h=AT0`;

  test.each([
    [`${PRODUCT}&th=1&tag=`, `${PRODUCT}&th=1`, "Press Enter"],
    [INSIDE, PRODUCT, INVALID],
  ])("a paste of %s offers %s, and changes nothing by itself", async (pasted, repaired, hint) => {
    await paste(pasted);
    elapse();
    await user.tab();
    expect(onLink).not.toHaveBeenCalled();
    expect([input().value, note()]).toEqual([pasted, expect.stringContaining(hint)]);
    const texts = (await screen.findAllByRole("definition")).map(({ textContent }) => textContent);
    expect(texts).toEqual([pasted, repaired]);
    await user.click(screen.getByRole("button", { name: "Use the repaired address" }));
    expect(onLink.mock.calls).toEqual([[repaired]]);
    expect([input().value, screen.queryByRole("definition")]).toEqual([repaired, null]);
  });

  test.each([
    ["Use the repaired addresses", [PRODUCT, OTHER, `${UNTAGGED}?th=1`]],
    ["Use as pasted", [`${UNTAGGED}&tag=me-21`, OTHER, `${UNTAGGED}&th=1`]],
  ])("a paste of a list offers the repairs of all its addresses at once: '%s'", async (name, addresses) => {
    await paste(`${UNTAGGED}&tag=me-21\n${OTHER}\n${UNTAGGED}&th=1`);
    elapse();
    expect(onLinks).not.toHaveBeenCalled();
    await screen.findByText(/^2 addresses of 3 can be repaired/);
    expect(screen.getAllByRole("definition")).toHaveLength(4);
    await user.click(screen.getByRole("button", { name }));
    expect([onLinks.mock.calls, input().value, onLink.mock.calls]).toEqual([[[addresses]], "", []]);
  });

  test("Enter submits a valid paste whose repair the user did not take", async () => {
    await paste(INSIDE);
    await user.type(input(), "{Enter}");
    expect(onLink).not.toHaveBeenCalled();
    await user.clear(input());
    await paste(`${PRODUCT}&tag=`);
    await user.type(input(), "{Enter}");
    expect(onLink.mock.calls).toEqual([[`${PRODUCT}&tag=`]]);
  });

  test("a pasted link replaces the text of the field, and submits the same link again", async () => {
    await user.type(input(), "look: ");
    await paste(PRODUCT);
    await paste(PRODUCT);
    expect([input().value, onLink.mock.calls]).toEqual([PRODUCT, [[PRODUCT], [PRODUCT]]]);
  });

  test("inserts a pasted query into the link", async () => {
    await paste(UNTAGGED);
    await paste("?tag=me-21");
    expect([input().value, onLink.mock.calls]).toEqual([PRODUCT, [[UNTAGGED], [PRODUCT]]]);
  });

  test("passes all of several pasted links on, also cut ones, and empties the field", async () => {
    await paste(`${PRODUCT.slice(0, 30)}\n${PRODUCT.slice(30)}\n${OTHER}`);
    expect([onLinks.mock.calls, onLink.mock.calls]).toEqual([[[[PRODUCT, OTHER]]], []]);
    expect(input().value).toBe("");
    await user.tab();
    expect(validationMessage()).toBeNull();
  });

  // Specification 5.1, 5.2
  test.each([
    ["the start of a product's link", "https://www.amazon.de/dp/ Sent from my phone", /^This link is incomplete\./],
    ["blanks", "   ", "Please enter an Amazon URL"],
    ["another site", "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W", INVALID],
  ])("a paste of %s shows what is wrong", async (_case, text, message) => {
    await paste(text);
    expect(validationMessage()).toMatch(message);
    expect(onLink).not.toHaveBeenCalled();
  });
});

describe("Enter", () => {
  // Specification 5.1
  test("Enter in an empty field shows that a link is required, until the next key", async () => {
    await user.type(input(), "{Enter}");
    expect(validationMessage()).toBe("Please enter an Amazon URL");
    const toast = await screen.findByRole("listitem");
    expect(toast.textContent).toBe("ErrorPlease enter an Amazon URL");
    await user.type(input(), "h");
    expect(validationMessage()).toBeNull();
  });

  test("submits several links separated by spaces, and a store page that typing alone does not", async () => {
    await user.type(input(), `${PRODUCT} ${OTHER}{Enter}`);
    expect([onLinks.mock.calls, onLink.mock.calls]).toEqual([[[[PRODUCT, OTHER]]], []]);
    await user.type(input(), "amazon.com/gp/bestsellers{Enter}");
    expect(onLink.mock.calls).toEqual([["https://amazon.com/gp/bestsellers"]]);
  });
});

describe("leaving the field", () => {
  test.each<[text: string, message: string | null]>([
    ["nonsense", INVALID],
    ["", null],
  ])("validates %j", async (text, message) => {
    await user.type(input(), `x${text}{Home}{Delete}`);
    await user.click(other());
    expect(validationMessage()).toBe(message);
  });

  test("validates nothing if the window was left, or nothing was typed", async () => {
    await user.click(input());
    await user.click(other());
    expect(validationMessage()).toBeNull();
    await user.type(input(), "nonsense");
    act(() => void input().dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    expect(validationMessage()).toBeNull();
  });

  test("submits no unfinished query, and Enter still does", async () => {
    await user.type(input(), `${UNTAGGED}?tag=me`);
    await user.click(other());
    elapse();
    expect(onLink).not.toHaveBeenCalled();
    expect(note()).toBe("Press Enter when your link is complete.");
    await user.type(input(), "-21{Enter}");
    expect(onLink.mock.calls).toEqual([[PRODUCT]]);
  });
});

describe("a paste elsewhere on the page", () => {
  test("puts its link into the field and submits it, without moving the focus", () => {
    pasteOnPage(`Check this out\n${PRODUCT}`);
    expect(input().value).toBe(`Check this out ${PRODUCT}`);
    expect(onLink.mock.calls).toEqual([[PRODUCT]]);
    expect(document.activeElement).toBe(document.body);
    pasteOnPage(`${PRODUCT}\n${OTHER}`);
    expect(onLinks.mock.calls).toEqual([[[PRODUCT, OTHER]]]);
  });

  test("a paste elsewhere does nothing without an Amazon link, into another field or while a dialog is open", () => {
    pasteOnPage("https://example.com/");
    pasteOnPage(PRODUCT, screen.getByRole("textbox", { name: "Other" }));
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.setAttribute("open", "");
    pasteOnPage(PRODUCT);
    dialog.remove();
    expect(onLink).not.toHaveBeenCalled();
    expect(validationMessage()).toBeNull();
  });

  test("a paste elsewhere while pending passes its link on and keeps the text of the field", () => {
    setPending(true);
    pasteOnPage(PRODUCT);
    expect([onLinks.mock.calls, input().value]).toEqual([[[[PRODUCT]]], ""]);
  });
});

describe("while pending", () => {
  // Specification 2.15
  test("the field is disabled, a spinner is shown, and the focus is restored afterwards with the caret where it was", async () => {
    await paste(PRODUCT);
    setPending(true);
    expect(input().disabled).toBe(true);
    expect(screen.getByRole("status").textContent).toBe("Generating your link...");
    // Browsers blur a field that is disabled. happy-dom does not.
    act(() => input().blur());
    setPending(false);
    expect([document.activeElement, input().selectionStart]).toEqual([input(), PRODUCT.length]);
    await user.keyboard("&");
    expect(input().value).toBe(`${PRODUCT}&`);
  });

  test("a focus moved elsewhere stays there", async () => {
    await paste(PRODUCT);
    setPending(true);
    act(() => other().focus());
    setPending(false);
    expect(document.activeElement).toBe(other());
  });
});
