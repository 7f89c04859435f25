import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { versionQuery } from "./get-version.ts";

export default function VersionLabel() {
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
