import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Facts } from "./facts.tsx";

test("facts are names with values and hints; what is false is left out", () => {
  render(<Facts look="totals" facts={[["Taps", 12, "None before"], false, ["Visitors", 3]]} />);
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["Taps", "Visitors"]);
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["12", "None before", "3"]);
});
