import type { ApiKey } from "@tapthru/proto/keys";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { formatDay, formatMinute, hasPassed } from "../../lib/dates.ts";
import { useRevokeKey } from "./api.ts";
import { KEY_SCOPE_NAMES } from "./key-fields.ts";

const keyCreatedOn = (created: string, used: string | null) =>
  used === null ? `Created ${created}, never used` : `Created ${created}, last used ${used}`;

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
      badge={isExpired && <Badge>Expired</Badge>}
      consequence="Everything that uses this key stops working at once. This can't be undone."
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <p className="mt-0.5 text-code">
        <code>{start}…</code>
      </p>
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
        <ScopeNames scopes={scopes} />
        <p>{keyCreatedOn(formatDay(createdAt), lastUsedAt === null ? null : formatMinute(lastUsedAt))}</p>
        {!isExpired && <p>{expiryText(expiresAt)}</p>}
      </div>
    </RevocableItem>
  );
}

function expiryText(expiresAt: string | null): string {
  return expiresAt === null ? "Does not expire" : `Expires at the end of ${formatDay(expiresAt)}`;
}

function ScopeNames({ scopes }: { scopes: readonly ApiKeyScope[] }) {
  return <p>{scopes.map((scope) => KEY_SCOPE_NAMES[scope]).join(" · ")}</p>;
}
