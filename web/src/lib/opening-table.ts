import { queryOptions } from "@tanstack/react-query";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/built-in-app-opening";

/** Somebody waits for an app to open. */
const TIMEOUT_MS = 1_000;

/** The strategy table that the gateway serves, or the one of this release where that is none. */
async function getOpeningTable(): Promise<AppOpeningTable> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch("/app-opening.json", { signal });
    return AppOpeningTable.parse(await response.json());
  } catch (error) {
    console.warn("The app opens by the built-in table:", error);
    return BUILT_IN_OPENING_TABLE;
  }
}

export const openingTableQuery = queryOptions({
  queryKey: ["/app-opening.json"],
  queryFn: getOpeningTable,
});
