import { queryOptions, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { abortAfter } from "../../lib/http/request-timeout.ts";

const TIMEOUT_MS = 15_000;

/** The deployed version. After a failure, such as the HTML of the site as the reply, the last known one. */
export const versionQuery = queryOptions({
  queryKey: ["/version.txt"],
  async queryFn({ signal }) {
    const response = await fetch("/version.txt", { signal: abortAfter(TIMEOUT_MS, signal) });
    const isText = response.headers.get("Content-Type")?.startsWith("text/plain");
    const version = (await response.text()).trim();
    if (!response.ok || !isText || !version || version.startsWith("<")) {
      throw new Error("/version.txt does not contain a version");
    }
    return version;
  },
});

export function VersionLabel() {
  const { data: version } = useQuery(versionQuery);
  // The version may be known before React takes over the prerendered page, which does not have it.
  const isHydrating = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );
  if (isHydrating || !version) return null;
  return <p className="text-xs text-muted">{`Version ${version}`}</p>;
}
