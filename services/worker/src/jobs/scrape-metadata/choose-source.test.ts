import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import type { SafeFetchRequest } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { expect, it } from "vitest";
import { chooseMetadataSource } from "./choose-source.ts";
import type { PageRef } from "./source.ts";

const PAGE: PageRef = {
  canonicalUrl: "https://www.amazon.de/dp/B08N5WRWNW",
  marketplace: "de",
  productId: "B08N5WRWNW",
};
const CREDENTIALS = {
  clientId: "id",
  clientSecret: "secret",
  version: "3.2",
  partnerTags: { de: "me-21" },
} as const;

/** The purposes that a source goes out for, when reading a page. */
async function purposes(choice: Omit<Parameters<typeof chooseMetadataSource>[0], "safeFetch">) {
  const asked: SafeFetchRequest[] = [];
  const source = chooseMetadataSource({
    ...choice,
    safeFetch: async (request) => {
      asked.push(request);
      throw new SafeFetchError("unreachable");
    },
  });
  await source?.read(PAGE, new AbortController().signal);
  return source && asked.map(({ purpose }) => purpose);
}

it("reads pages where there are no credentials", async () => {
  expect(await purposes({ credentials: null, fetchesPages: true })).toEqual(["store"]);
});

it.each([true, false])("asks the API alone where there are credentials", async (fetchesPages) => {
  expect(await purposes({ credentials: CREDENTIALS, fetchesPages })).toEqual(["creators-api"]);
});

it("asks nobody where pages are not to be fetched", async () => {
  expect(await purposes({ credentials: null, fetchesPages: false })).toBeNull();
});
