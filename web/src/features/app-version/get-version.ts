import { queryOptions } from "@tanstack/react-query";

/** The deployed version, or null where the reply is not one (such as the SPA's own page). */
async function getVersion(signal: AbortSignal): Promise<string | null> {
  const response = await fetch("/version.txt", { signal });
  const isText = response.headers.get("Content-Type")?.startsWith("text/plain");
  const version = (await response.text()).trim();
  return response.ok && isText && version && !version.startsWith("<") ? version : null;
}

export const versionQuery = queryOptions({
  queryKey: ["/version.txt"],
  queryFn: ({ signal }) => getVersion(signal),
});
