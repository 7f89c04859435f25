import { useQuery } from "@tanstack/react-query";
import { KEYS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { ItemsCard } from "../../components/revocable-items/items-card.tsx";
import { keysOptions } from "../../lib/api-keys.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyItem } from "./key-item.tsx";

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
    />
  );
}
