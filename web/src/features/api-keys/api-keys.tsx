import { useQuery } from "@tanstack/react-query";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { Disclosure } from "../../components/ui/details.tsx";
import { keysOptions } from "../../lib/api-keys.ts";
import { formatMinute } from "../../lib/dates.ts";
import { keyEventsOptions } from "./api.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyItem, ScopeNames } from "./key-item.tsx";

/** The section of the account in which the user creates and revokes API keys. */
export function ApiKeys({ isOperator }: { isOperator: boolean }) {
  return (
    <ItemsCard
      title={messages.apiKeys}
      text={messages.apiKeysText}
      texts={{
        add: messages.newKey,
        empty: messages.noKeys,
        failed: messages.keysNotLoaded,
        tooMany: messages.tooManyKeys,
      }}
      maxCount={KEYS_MAX_COUNT}
      query={useQuery(keysOptions)}
      item={(key, onRevoked) => <KeyItem apiKey={key} onRevoked={onRevoked} />}
      form={(close) => <KeyForm isOperator={isOperator} onClose={close} />}
    >
      <Disclosure show={messages.showKeyEvents} hide={messages.hideKeyEvents}>
        <KeyEvents />
      </Disclosure>
    </ItemsCard>
  );
}

/** The latest creations and revocations of keys. */
function KeyEvents() {
  const { data, isPending } = useQuery(keyEventsOptions);
  if (isPending) return <p className="text-muted">{messages.loading}</p>;
  if (!data) return <p role="alert">{messages.keyEventsNotLoaded}</p>;
  if (data.length === 0) return <p className="text-muted">{messages.noKeyEvents}</p>;
  return (
    <ul className="divide-y divide-line">
      {data.map(({ event, at, keyName, keyStart, keyScopes }) => (
        <li key={`${at} ${event} ${keyStart}`} className="py-3 text-sm first:pt-1">
          <p className="wrap-anywhere">
            {messages.keyEvents[event]} <bdi className="font-medium">{keyName}</bdi>{" "}
            <code className="text-code">{keyStart}…</code>
          </p>
          <div className="mt-0.5 text-muted">
            <ScopeNames scopes={keyScopes} />
            <p>{formatMinute(at)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
