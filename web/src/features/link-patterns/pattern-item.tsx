import type { LinkPattern } from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../components/copy-button.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useOpenForm } from "../../components/ui/inline-form.tsx";
import { formatDay } from "../../lib/dates.ts";
import { useDeletePatternLinks, useRevokePattern } from "./api/patterns.ts";
import { TagsForm } from "./tags-form.tsx";

interface PatternItemProps {
  pattern: LinkPattern;
  onRevoked: () => void;
}

export function PatternItem({ pattern, onRevoked }: PatternItemProps) {
  const { name, prefix, tags, linkCount, linkCountOfDay, createdAt } = pattern;
  const tagsForm = useOpenForm();
  const revocation = useRevokePattern(pattern, onRevoked);
  const deletion = useDeletePatternLinks(pattern);

  return (
    <RevocableItem
      name={name}
      consequence={messages.revokePatternConsequence}
      isPending={revocation.isPending}
      onRevoke={(close) => revocation.mutate(undefined, { onError: close })}
      actions={
        <>
          <Button
            variant="outline"
            aria-label={messages.changeTagsOfPattern(name)}
            {...tagsForm.button}
          >
            {messages.changePatternTags}
          </Button>
          <ConfirmButton
            label={messages.deletePatternLinks}
            name={messages.deleteLinksOfPattern(name)}
            pendingLabel={messages.deletingPatternLinks}
            question={messages.confirmDeletePatternLinks(name)}
            variant="outline"
            isPending={deletion.isPending}
            onConfirm={(close) => deletion.mutate(undefined, { onSuccess: close, onError: close })}
          >
            <p className="mt-3 leading-6 text-pretty">{messages.deletePatternLinksConsequence}</p>
          </ConfirmButton>
        </>
      }
      details={tagsForm.isOpen && <TagsForm pattern={pattern} onClose={tagsForm.close} />}
    >
      <div className="mt-0.5 text-sm text-pretty text-muted">
        <p>{messages.patternCreatedOn(formatDay(createdAt))}</p>
        <p>{messages.patternUsage(linkCount, linkCountOfDay)}</p>
        <p className="wrap-anywhere">
          {tags.length > 0 ? messages.patternTags(tags) : messages.allPatternTags}
        </p>
      </div>
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
