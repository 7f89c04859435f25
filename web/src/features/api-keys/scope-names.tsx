import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { messages } from "@tapthru/proto/rules/messages";

export function ScopeNames({ scopes }: { scopes: readonly ApiKeyScope[] }) {
  return <p>{scopes.map((scope) => messages.keyScopeNames[scope]).join(" · ")}</p>;
}
