import { messages } from "@tapthru/proto/rules/messages";
import { NewSecret } from "../../components/revocable-items/new-secret.tsx";

const TEXTS = {
  title: messages.copyKeyNow,
  text: messages.copyKeyNowText,
  copy: messages.copyKey,
  copied: messages.keyCopied,
  failedToCopy: messages.failedToCopyKey,
  saved: messages.keySaved,
};

export function NewKey({ text, onDone }: { text: string; onDone: () => void }) {
  return <NewSecret secret={text} texts={TEXTS} onDone={onDone} />;
}
