import { screen, within } from "@testing-library/react";

/** The text of the visible toast: title and description joined. */
export function toast(): string | null | undefined {
  const region = screen.queryByRole("region", { name: /^Notifications/ });
  return region && within(region).queryByRole("listitem")?.textContent;
}
