import { findEndless } from "@tapthru/proto/testing/hostile-texts/find-endless";
import { expect, it } from "vitest";

it("reads every text in time in proportion to its length", { timeout: 0 }, async () => {
  const modules = [
    "./acme/order-problem.ts",
    "./jobs/read-exchange-rates.ts",
    "./jobs/scrape-metadata/clean-metadata.ts",
    "./jobs/scrape-metadata/read-page/classify.ts",
    "./jobs/scrape-metadata/read-page/page-elements.ts",
  ];
  expect(await findEndless(modules.map((path) => new URL(path, import.meta.url)))).toBeNull();
});
