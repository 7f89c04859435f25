import { hashKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { linkOptions } from "../get-link.ts";
import { linkStoresOptions } from "./list-links.ts";

test("the stores of links are not cached as a link with the code `stores`", () => {
  expect(hashKey(linkStoresOptions.queryKey)).not.toBe(hashKey(linkOptions("stores").queryKey));
});
