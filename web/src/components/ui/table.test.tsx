import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { DataTable } from "./table.tsx";

const ROWS = [
  { name: "Lamp", taps: 12 },
  { name: "Mug", taps: 3 },
];
type Order = "taps" | "name";

const tableOf = (order: Order, onOrder?: (order: Order) => void) => (
  <DataTable<(typeof ROWS)[number], Order>
    caption="Links"
    rows={ROWS}
    keyOf={({ name }) => name}
    order={order}
    {...(onOrder && { onOrder })}
    shortCount={1}
    columns={[
      { name: "Link", order: "name", cell: ({ name }) => name },
      { name: "Taps", order: "taps", cell: ({ taps }) => taps },
      { name: "Half", cell: ({ taps }) => taps / 2 },
    ]}
  />
);

test("a heading chooses the order, keeps the focus and says which order it is", async () => {
  const onOrder = vi.fn();
  const { rerender } = render(tableOf("taps", onOrder));
  const sorts = () => screen.getAllByRole("columnheader").map((heading) => heading.getAttribute("aria-sort"));
  expect(sorts()).toEqual([null, "descending", null]);
  const button = screen.getByRole("button", { name: "Link" });
  await userEvent.click(button);
  expect(onOrder).toHaveBeenCalledExactlyOnceWith("name");
  rerender(tableOf("name", onOrder));
  expect(sorts()).toEqual(["ascending", null, null]);
  expect(document.activeElement).toBe(button);
  expect(screen.queryByRole("button", { name: "Half" })).toBeNull();
});

test("the first cell names its row, and a button shows all rows", async () => {
  render(tableOf("taps"));
  const names = () => within(screen.getByRole("table", { name: "Links" })).getAllByRole("rowheader");
  expect(names().map(({ textContent }) => textContent)).toEqual(["Lamp"]);
  await userEvent.click(screen.getByRole("button", { name: "Show all 2" }));
  expect(names().map(({ textContent }) => textContent)).toEqual(["Lamp", "Mug"]);
});
