import { TYPING_DELAY_MS } from "@tapthru/proto/rules/limits";
import { act, render, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Toaster } from "../../components/ui/toaster.tsx";
import { useFakeClock } from "../../testing/fake-timers.ts";
import { LinkField } from "./link-field.tsx";

const PRODUCT = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

let user: UserEvent;
const onLink = vi.fn<(url: string) => void>();
const onEdit = vi.fn<() => void>();

function field(pending = false) {
  return (
    <Toaster>
      <LinkField placeholder="" pending={pending} onLink={onLink} onEdit={onEdit} />
    </Toaster>
  );
}

const input = () => screen.getByRole<HTMLInputElement>("textbox");
/** What stands at the field, where the field is said to be wrong. */
const complaint = () =>
  input().getAttribute("aria-invalid") === "true"
    ? document.getElementById(input().getAttribute("aria-describedby") ?? "")?.textContent
    : null;
const elapse = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  user = useFakeClock();
  onLink.mockReset();
  onEdit.mockReset();
});

describe("typing", () => {
  // Specification 2.14
  test("starts 600 ms after the last key", async () => {
    render(field());
    await user.type(input(), PRODUCT.slice(0, -1));
    elapse(TYPING_DELAY_MS - 1);
    await user.type(input(), PRODUCT.slice(-1));
    elapse(TYPING_DELAY_MS - 1);
    expect(onLink).not.toHaveBeenCalled();
    elapse(1);
    expect(onLink.mock.calls).toEqual([[PRODUCT]]);
  });

  test("waits for a whole link, without a complaint", async () => {
    render(field());
    await user.type(input(), "https://www.amazon.de/dp/B0ZZ");
    elapse(10 * TYPING_DELAY_MS);
    expect(onLink).not.toHaveBeenCalled();
    expect(complaint()).toBeNull();
    expect(input().getAttribute("aria-invalid")).toBe("false");
  });

  test("takes any page of the store that arrives in one piece", async () => {
    render(field());
    const search = "https://www.amazon.com/s?k=lamp&tag=x-20";
    await user.type(input(), "h");
    act(() => {
      input().value = search;
      input().dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
    });
    elapse(TYPING_DELAY_MS);
    expect(onLink.mock.calls).toEqual([[search]]);
  });

  test("tells of each change", async () => {
    render(field());
    await user.type(input(), "abc");
    expect(onEdit).toHaveBeenCalledTimes(3);
  });
});

describe("a paste", () => {
  async function paste(text: string) {
    await user.click(input());
    await user.paste(text);
  }

  // Specification 2.14
  test("starts at once, with the link picked out of its text", async () => {
    render(field());
    await paste("Check this out amzn.eu/d/abc1234 !");
    expect(onLink.mock.calls).toEqual([["https://amzn.eu/d/abc1234"]]);
  });

  // Specification 2.37
  test("does not start a second time by the clock or by leaving", async () => {
    render(field());
    await paste(PRODUCT);
    elapse(10 * TYPING_DELAY_MS);
    await user.tab();
    expect(onLink).toHaveBeenCalledTimes(1);
  });

  test("of the same text again starts again", async () => {
    render(field());
    await paste(PRODUCT);
    input().select();
    await paste(PRODUCT);
    expect(onLink).toHaveBeenCalledTimes(2);
  });

  // Specification 5.1
  test("of blanks asks for a link", async () => {
    render(field());
    await paste("   ");
    expect(complaint()).toBe("Please enter an Amazon URL");
  });

  // Specification 5.2
  test("of another site asks for a valid link", async () => {
    render(field());
    await paste("https://amazon.com.evil.example/dp/B0ZZ1Y2X3W");
    expect(complaint()).toBe("Please enter a valid Amazon URL");
    expect(onLink).not.toHaveBeenCalled();
  });
});

describe("Enter", () => {
  // Specification 5.1
  test("on nothing asks for a link", async () => {
    render(field());
    await user.type(input(), "{Enter}");
    expect(complaint()).toBe("Please enter an Amazon URL");
    const toast = await screen.findByRole("listitem");
    expect(toast.textContent).toBe("ErrorPlease enter an Amazon URL");
  });

  test("starts at once and once", async () => {
    render(field());
    await user.type(input(), `${PRODUCT}{Enter}`);
    elapse(10 * TYPING_DELAY_MS);
    expect(onLink.mock.calls).toEqual([[PRODUCT]]);
  });

  test("takes a page that typing alone does not", async () => {
    render(field());
    await user.type(input(), "amazon.com/gp/bestsellers{Enter}");
    expect(onLink.mock.calls).toEqual([["https://amazon.com/gp/bestsellers"]]);
  });
});

describe("leaving the field", () => {
  test("complains of what was typed", async () => {
    render(field());
    await user.type(input(), "nonsense");
    await user.tab();
    expect(complaint()).toBe("Please enter a valid Amazon URL");
  });

  test("untouched says nothing", async () => {
    render(field());
    await user.click(input());
    await user.tab();
    expect(complaint()).toBeNull();
  });

  test("for another window says nothing", async () => {
    render(field());
    await user.type(input(), "nonsense");
    act(() => {
      input().dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
    });
    expect(complaint()).toBeNull();
  });
});

test("a complaint goes with the next key", async () => {
  render(field());
  await user.type(input(), "{Enter}h");
  expect(complaint()).toBeNull();
});

describe("while pending", () => {
  // Specification 2.15
  test("the field is disabled and a spinner turns", () => {
    render(field(true));
    expect(input().disabled).toBe(true);
    expect(screen.getByRole("status").textContent).toBe("Generating your link...");
  });

  test("the focus is lost and comes back afterwards, its text selected", async () => {
    const { rerender } = render(field());
    await user.click(input());
    await user.paste(PRODUCT);
    rerender(field(true));
    // Browsers take the focus from a field that is disabled; happy-dom does not.
    act(() => input().blur());
    rerender(field());
    expect(document.activeElement).toBe(input());
    expect(input().selectionEnd).toBe(PRODUCT.length);
  });

  test("a focus that went elsewhere stays there", async () => {
    const withButton = (pending: boolean) => (
      <>
        {field(pending)}
        <button type="button">Elsewhere</button>
      </>
    );
    const { rerender } = render(withButton(false));
    await user.click(input());
    await user.paste(PRODUCT);
    rerender(withButton(true));
    act(() => screen.getByRole("button").focus());
    rerender(withButton(false));
    expect(document.activeElement).toBe(screen.getByRole("button"));
  });
});
