import { queryOptions } from "@tanstack/react-query";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";

const TIMEOUT_MS = 5_000;

/** Loads the strategy table from the gateway. */
async function getTableInUse(signal: AbortSignal): Promise<AppOpeningTable> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch("/app-opening.json", { signal: AbortSignal.any([signal, timeout]) });
  return AppOpeningTable.parse(await response.json());
}

/** Not repeated: without it, the page still has what is built into this release. */
export const tableInUseQuery = queryOptions({
  queryKey: ["/app-opening.json", "in use"],
  queryFn: ({ signal }) => getTableInUse(signal),
  retry: false,
});
