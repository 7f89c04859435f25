import { expect, it } from "vitest";
import { buildDeepLink } from "./redirect-target.ts";

it("names product and original address in its query, both encoded", () => {
  expect(
    buildDeepLink("https://t.example", "B0ZZ1Y2X3W", "https://www.amazon.fr/é/dp/B0ZZ1Y2X3W?tag=me-21&k=a#x"),
  ).toBe(
    "https://t.example/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fwww.amazon.fr%2F%C3%A9%2Fdp%2FB0ZZ1Y2X3W%3Ftag%3Dme-21%26k%3Da%23x",
  );
});
