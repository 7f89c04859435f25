import { queryOptions } from "@tanstack/react-query";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { abortAfter } from "../../lib/http/request-timeout.ts";

const TIMEOUT_MS = 5_000;

/** Loads the strategy table from the gateway. */
async function getTableInUse(signal: AbortSignal): Promise<AppOpeningTable> {
  const response = await fetch("/app-opening.json", { signal: abortAfter(TIMEOUT_MS, signal) });
  return AppOpeningTable.parse(await response.json());
}

/** Not repeated: without it, the page still has what is built into this release. */
export const tableInUseQuery = queryOptions({
  queryKey: ["/app-opening.json", "in use"],
  queryFn: ({ signal }) => getTableInUse(signal),
  retry: false,
});
