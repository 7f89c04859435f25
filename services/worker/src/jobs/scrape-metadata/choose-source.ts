import { registerCounts } from "@tapthru/core/platform/metrics/metrics";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import type { Registry } from "prom-client";
import { type CreatorsCredentials, createCreatorsApiSource } from "./creators-api-source.ts";
import { createPageSource } from "./page-source.ts";
import { type MetadataSource, OUTCOMES } from "./source.ts";
import { createThrottledSource } from "./throttled-source.ts";

/** The API's limits are low: one call in ten seconds in the first month. */
const ITEMS_AT_ONCE = 1;
const PAGES_AT_ONCE = 3;

/** With credentials for the Creators API, pages are not fetched. Null if no source is configured. */
export function chooseMetadataSource(choice: {
  safeFetch: SafeFetch;
  credentials: CreatorsCredentials | null;
  fetchesPages: boolean;
}): MetadataSource | null {
  const { safeFetch, credentials, fetchesPages } = choice;
  if (credentials !== null) {
    const source = createCreatorsApiSource({ safeFetch, credentials });
    return createThrottledSource(source, {
      concurrency: ITEMS_AT_ONCE,
      hostOf: () => "creators-api",
    });
  }
  if (!fetchesPages) return null;
  const source = createPageSource(safeFetch);
  return createThrottledSource(source, {
    concurrency: PAGES_AT_ONCE,
    hostOf: (page) => page.marketplace,
  });
}

export function countReadOutcomes(source: MetadataSource, registry: Registry): MetadataSource {
  const help = "Page reads by outcome: read, postponed, or the reason of a failure";
  const count = registerCounts(registry, { name: "tapthru_metadata_readings_total", help, label: "outcome" }, [
    "read",
    "postponed",
    ...OUTCOMES,
  ]);
  return {
    ...source,
    async read(page, signal) {
      const result = await source.read(page, signal);
      count(result.kind === "nothing" ? result.outcome : result.kind);
      return result;
    },
  };
}
