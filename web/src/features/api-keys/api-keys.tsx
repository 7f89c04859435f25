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
      title="API keys"
      text="With a key, a script or an app works with your links without your password. No key can change your account or create other keys."
      texts={{
        add: "New API key",
        empty: "You have no API keys.",
        failed: "Your API keys could not be loaded.",
        tooMany: messages.tooManyKeys,
      }}
      maxCount={KEYS_MAX_COUNT}
      query={useQuery(keysOptions)}
      item={(key, onRevoked) => <KeyItem apiKey={key} onRevoked={onRevoked} />}
      form={(close) => <KeyForm isOperator={isOperator} onClose={close} />}
    />
  );
}
