import type { LinkPattern } from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../components/copy-button.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { useRevokePattern } from "./api/patterns.ts";

interface PatternItemProps {
  pattern: LinkPattern;
  onRevoked: () => void;
}

export function PatternItem({ pattern, onRevoked }: PatternItemProps) {
  const { name, prefix, createdAt } = pattern;
  const { mutate, isPending } = useRevokePattern(pattern, onRevoked);
  return (
    <RevocableItem
      name={name}
      consequence={messages.revokePatternConsequence}
      isPending={isPending}
      onRevoke={(close) => mutate(undefined, { onError: close })}
    >
      <p className="mt-0.5 text-sm text-muted">
        {messages.patternCreatedOn(FORMAT.format(new Date(createdAt)))}
      </p>
      <div className="mt-1 flex items-center gap-1">
        <code className="min-w-0 text-code wrap-anywhere">{prefix}</code>
        <CopyButton
          text={prefix}
          label={messages.copyPattern(name)}
          success={messages.patternCopied}
          failure={messages.failedToCopyPattern}
        />
      </div>
      <p className="text-sm text-pretty text-muted">{messages.patternUse}</p>
    </RevocableItem>
  );
}

const FORMAT = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
