import { queryOptions } from "@tanstack/react-query";

const TIMEOUT_MS = 15_000;

/**
 * The deployed version.
 * @throws where the reply is none, such as the SPA's own page
 */
async function getVersion(signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch("/version.txt", { signal: AbortSignal.any([signal, timeout]) });
  const isText = response.headers.get("Content-Type")?.startsWith("text/plain");
  const version = (await response.text()).trim();
  if (!response.ok || !isText || !version || version.startsWith("<")) {
    throw new Error("The reply to /version.txt is no version");
  }
  return version;
}

/** A reply that is no version, or none at all, leaves the version that is known. */
export const versionQuery = queryOptions({
  queryKey: ["/version.txt"],
  queryFn: ({ signal }) => getVersion(signal),
});
