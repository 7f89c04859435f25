import type { ApiKey } from "@tapthru/proto/http/keys";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { messages } from "@tapthru/proto/rules/messages";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { formatDay, formatMinute, hasPassed } from "../../lib/dates.ts";
import { useRevokeKey } from "./api.ts";

interface KeyItemProps {
  apiKey: ApiKey;
  onRevoked: () => void;
}

export function KeyItem({ apiKey, onRevoked }: KeyItemProps) {
  const { name, start, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  const { mutate, isPending } = useRevokeKey(apiKey, onRevoked);
  const isExpired = hasPassed(expiresAt);
  return (
    <RevocableItem
      name={name}
      badge={isExpired && <Badge>{messages.keyExpired}</Badge>}
      consequence={messages.revokeKeyConsequence}
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <p className="mt-0.5 text-code">
        <code>{start}…</code>
      </p>
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <ScopeNames scopes={scopes} />
        <p>
          {messages.keyCreatedOn(
            formatDay(createdAt),
            lastUsedAt === null ? null : formatMinute(lastUsedAt),
          )}
        </p>
        {!isExpired && <p>{expiryText(expiresAt)}</p>}
      </div>
    </RevocableItem>
  );
}

function expiryText(expiresAt: string | null): string {
  return expiresAt === null ? messages.keyNeverExpires : messages.keyExpires(formatDay(expiresAt));
}

function ScopeNames({ scopes }: { scopes: readonly ApiKeyScope[] }) {
  return <p>{scopes.map((scope) => messages.keyScopeNames[scope]).join(" · ")}</p>;
}
