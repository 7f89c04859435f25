import type { ClickClass } from "@tapthru/proto/clicks/keys";
import type { Decision } from "../choose-destination.ts";
import type { Visitor } from "../visitor.ts";

/**
 * The class of a visit; null if it is not counted: other methods than GET, errors, the return from an in-app browser,
 * which was counted before, and Google's prefetch proxy.
 */
export function clickClass(
  visitor: Visitor,
  method: string,
  decision: Pick<Decision, "kind">,
): ClickClass | null {
  const { kind } = decision;
  const isCounted = kind === "redirect" || kind === "app-page" || kind === "card";
  if (!isCounted || method !== "GET") return null;
  if (visitor.isEscaped || visitor.isProxiedPrefetch) return null;
  const { agentClass } = visitor.client;
  return agentClass === "person" && visitor.isPrefetch ? "prefetch" : agentClass;
}
