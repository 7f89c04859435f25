import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { useIsHydrating } from "../../lib/prerendered.ts";
import { versionQuery } from "./get-version.ts";

export default function VersionLabel() {
  const { data: version } = useQuery(versionQuery);
  // The version may be known before the prerendered page is taken over.
  const isHydrating = useIsHydrating();
  return (
    !isHydrating && version && <p className="text-xs text-muted">{messages.version(version)}</p>
  );
}
