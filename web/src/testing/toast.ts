import { screen, within } from "@testing-library/react";

/** What the toast says that shows now, title and description together. */
export function toast(): string | null | undefined {
  const region = screen.queryByRole("region", { name: /^Notifications/ });
  return region && within(region).queryByRole("listitem")?.textContent;
}
