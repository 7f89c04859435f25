import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";

/** The text of the visible toast: title and description joined. */
export function toast(): string | null | undefined {
  const region = screen.queryByRole("region", { name: /^Notifications/ });
  return region && within(region).queryByRole("listitem")?.textContent;
}

/** Waits for a toast that contains a text. Returns its title and description joined. */
export async function findToast(text: string): Promise<string> {
  return waitFor(() => {
    const shown = toast() ?? "";
    expect(shown).toContain(text);
    return shown;
  });
}
