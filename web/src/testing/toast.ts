import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";

/** The texts of the toasts of this test that `findToast` has not returned. */
let unread: string[] = [];

/** Records toasts, which close by themselves: a slow machine looks for them later. @returns a function that ends it */
export function recordToasts(): () => void {
  unread = [];
  const texts = new WeakMap<Element, string>();
  const observer = new MutationObserver(() => {
    for (const element of document.querySelectorAll("li.toast")) {
      const text = element.textContent;
      if (!text || text === texts.get(element)) continue;
      texts.set(element, text);
      unread.push(text);
    }
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}

/** @returns the text of the newest */
export function toast(): string | null | undefined {
  const region = screen.queryByRole("region", { name: /^Notifications/ });
  return region && within(region).queryAllByRole("listitem").at(-1)?.textContent;
}

/** Waits for a toast that contains a text, unless it was shown before. Returns its title and description joined. */
export async function findToast(text: string): Promise<string> {
  return waitFor(() => {
    const at = unread.findIndex((each) => each.includes(text));
    if (at !== -1) return unread.splice(0, at + 1).at(-1) ?? "";
    const shown = toast() ?? "";
    expect(shown, `unread: ${unread.join("; ")}`).toContain(text);
    return shown;
  });
}
