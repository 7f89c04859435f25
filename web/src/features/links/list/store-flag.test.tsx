import { isMarketplace, MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StoreFlag } from "./link-facts.tsx";

test.each(Object.keys(MARKETPLACES).filter(isMarketplace))("there is a flag for amazon.%s", (marketplace) => {
  render(<StoreFlag marketplace={marketplace} />);
  expect(screen.getByRole("img", { name: `amazon.${marketplace}` })).toBeTruthy();
});
