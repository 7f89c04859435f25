import { queryOptions } from "@tanstack/react-query";
import { abortAfter } from "../../lib/http/request-timeout.ts";

const TIMEOUT_MS = 15_000;

/**
 * Fetches the deployed version.
 * @throws if the response is not a version, for example if it is the SPA's HTML
 */
async function getVersion(signal: AbortSignal): Promise<string> {
  const response = await fetch("/version.txt", { signal: abortAfter(TIMEOUT_MS, signal) });
  const isText = response.headers.get("Content-Type")?.startsWith("text/plain");
  const version = (await response.text()).trim();
  if (!response.ok || !isText || !version || version.startsWith("<")) {
    throw new Error("/version.txt does not contain a version");
  }
  return version;
}

/** After a failure, the query keeps the last known version. */
export const versionQuery = queryOptions({
  queryKey: ["/version.txt"],
  queryFn: ({ signal }) => getVersion(signal),
});
