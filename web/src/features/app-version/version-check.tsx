import { useQuery, useQueryClient } from "@tanstack/react-query";
import { VERSION_CHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent, useRef } from "react";
import { versionQuery } from "./get-version.ts";
import { isInUse } from "./is-in-use.ts";
import { reloadWhenIdle } from "./reload-when-idle.ts";
import { isNewVersion, readStoredVersion, storeVersion } from "./stored-version.ts";

interface VersionCheckProps {
  /** Delays a reload, because the page shows content that it would lose. */
  isBlocked: boolean;
}

/** Reloads the page when another version is deployed. */
export default function VersionCheck({ isBlocked }: VersionCheckProps) {
  const queryClient = useQueryClient();
  const running = useRef<string>(null);
  const { data: deployed } = useQuery({
    ...versionQuery,
    refetchInterval: VERSION_CHECK_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });
  const mustWait = useEffectEvent(() => isBlocked || queryClient.isMutating() > 0 || isInUse());

  useEffect(() => {
    if (deployed === undefined) return;
    const stored = readStoredVersion();
    const isNew = isNewVersion(deployed, { running: running.current, stored });
    running.current ??= stored ?? deployed;
    if (stored !== deployed) storeVersion(deployed);
    if (isNew) return reloadWhenIdle(deployed, () => mustWait());
    return undefined;
  }, [deployed]);
  return null;
}
