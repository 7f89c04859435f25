import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { versionQuery } from "./get-version.ts";

export function VersionLabel() {
  const { data: version } = useQuery(versionQuery);
  return <p className="min-h-4 text-xs text-muted">{version && messages.version(version)}</p>;
}
