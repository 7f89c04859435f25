import { type LinkPattern, updatePattern } from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { CopyButton } from "../../components/copy-button.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm, useOpenForm } from "../../components/ui/form.tsx";
import { formatDay } from "../../lib/dates.ts";
import { useChangePatternTags, useDeletePatternLinks, useRevokePattern } from "./api.ts";

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

const Tags = updatePattern.body.shape.tags;

/** Changes the tags that a pattern is restricted to. */
function TagsForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { tags: pattern.tags.join(", ") },
  });
  const { mutate, isPending } = useChangePatternTags(pattern);

  function submit({ tags }: { tags: string }) {
    const parsed = z.safeParse(Tags, tags.split(/[\s,;]+/).filter(Boolean));
    if (parsed.success) mutate(parsed.data, { onSuccess: onClose });
    else
      setError("tags", { message: parsed.error.issues[0]?.message ?? "" }, { shouldFocus: true });
  }

  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <Field
        label={messages.allowedTags}
        hint={messages.allowedTagsHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={formState.errors.tags?.message}
        {...register("tags")}
      />
    </InlineForm>
  );
}
