import { messages } from "@tapthru/proto/rules/messages";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";

const TEXTS = {
  title: messages.copySecretNow,
  text: messages.copySecretNowText,
  copy: messages.copySecret,
  copied: messages.secretCopied,
  failedToCopy: messages.failedToCopySecret,
  saved: messages.secretSaved,
};

export function NewWebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return <NewSecret secret={secret} texts={TEXTS} onDone={onDone} />;
}
