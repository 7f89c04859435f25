import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { SafeFetchRequest } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { expect, it } from "vitest";
import { chooseMetadataSource } from "./choose-source.ts";
import type { PageRef } from "./source.ts";

const PAGE: PageRef = {
  canonicalUrl: "https://www.amazon.de/dp/B08N5WRWNW",
  marketplace: "de",
  productId: "B08N5WRWNW",
};
const CREDENTIALS = { clientId: "id", clientSecret: "secret", version: "3.2", partnerTags: { de: "me-21" } } as const;

/** The purposes of the requests that a source sends to read a page. */
async function purposes(choice: Omit<Parameters<typeof chooseMetadataSource>[0], "safeFetch">) {
  const requests: SafeFetchRequest[] = [];
  const source = chooseMetadataSource({
    ...choice,
    safeFetch: async (request) => {
      requests.push(request);
      throw new SafeFetchError("unreachable");
    },
  });
  await source?.read(PAGE, new AbortController().signal);
  return source && requests.map(({ purpose }) => purpose);
}

it.each([
  ["reads pages without credentials", null, true, ["store"]],
  ["uses only the API with credentials", CREDENTIALS, true, ["creators-api"]],
  ["needs no page if it has credentials", CREDENTIALS, false, ["creators-api"]],
  ["has no source if pages are not fetched", null, false, null],
] as const)("%s", async (_, credentials, fetchesPages, expected) => {
  expect(await purposes({ credentials, fetchesPages })).toEqual(expected);
});
