import { type LinkPattern, updatePattern } from "@tapthru/proto/http/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ChannelFields, useHasChannelChoice } from "../../components/channel-fields.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { RevocableItem } from "../../components/revocable-items/revocable-item.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { Field } from "../../components/ui/field.tsx";
import { InlineForm, useOpenForm } from "../../components/ui/form.tsx";
import { findChannel, useChannels } from "../../lib/channels.ts";
import { formatDay } from "../../lib/dates.ts";
import { useChangePattern, useDeletePatternLinks, useRevokePattern } from "./api.ts";

interface PatternItemProps {
  pattern: LinkPattern;
  onRevoked: () => void;
}

export function PatternItem({ pattern, onRevoked }: PatternItemProps) {
  const { name, prefix, tags, linkCount, linkCountOfDay, createdAt } = pattern;
  const tagsForm = useOpenForm();
  const channelForm = useOpenForm();
  const channels = useChannels();
  const hasChannelChoice = useHasChannelChoice();
  const channel = findChannel(channels, pattern.channelId)?.name;
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
          {hasChannelChoice && (
            <Button
              variant="outline"
              aria-label={messages.channelOfPattern(name)}
              {...channelForm.button}
            >
              {messages.channel}
            </Button>
          )}
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
      details={
        <>
          {tagsForm.isOpen && <TagsForm pattern={pattern} onClose={tagsForm.close} />}
          {channelForm.isOpen && <ChannelForm pattern={pattern} onClose={channelForm.close} />}
        </>
      }
    >
      <div className="mt-0.5 text-sm text-pretty text-muted">
        <p>{messages.patternCreatedOn(formatDay(createdAt))}</p>
        <p>{messages.patternUsage(linkCount, linkCountOfDay)}</p>
        <p className="wrap-anywhere">
          {tags.length > 0 ? messages.patternTags(tags) : messages.allPatternTags}
        </p>
        {channel !== undefined && (channels.length > 1 || pattern.usesChannelTag) && (
          <p className="wrap-anywhere">{messages.channelOfAll(channel, pattern.usesChannelTag)}</p>
        )}
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

const Tags = z.nonoptional(updatePattern.body.shape.tags);

/** Changes the tags that a pattern is restricted to. */
function TagsForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { tags: pattern.tags.join(", ") },
  });
  const { mutate, isPending } = useChangePattern(pattern, messages.patternTagsChanged);

  function submit({ tags }: { tags: string }) {
    const parsed = z.safeParse(Tags, tags.split(/[\s,;]+/).filter(Boolean));
    if (parsed.success) mutate({ tags: parsed.data }, { onSuccess: onClose });
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

/** Changes the channel of the links that a pattern creates. */
function ChannelForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { channelId, usesChannelTag } = pattern;
  const [choice, setChoice] = useState({ channelId, usesChannelTag });
  const { mutate, isPending } = useChangePattern(pattern, messages.patternChannelChanged);
  return (
    <InlineForm
      pending={isPending}
      saveLabel={messages.save}
      onSubmit={() => mutate(choice, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ChannelFields label={messages.channelOfPatternLinks} value={choice} onChange={setChoice} />
    </InlineForm>
  );
}
