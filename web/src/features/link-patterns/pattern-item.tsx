import { type LinkPattern, updatePattern } from "@tapthru/proto/patterns";
import { PATTERN_LINKS_MAX_COUNT, PATTERN_LINKS_PER_DAY_MAX_COUNT } from "@tapthru/proto/rules/limits";
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
import { channelOfAll, findChannel, useChannels } from "../../lib/channels.ts";
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
      consequence="Links on your site that begin with this address stop working. The short links that it created stay."
      isPending={revocation.isPending}
      onRevoke={(close) => revocation.mutate(undefined, { onError: close })}
      actions={
        <>
          <Button variant="outline" aria-label={`Tags of ${name}`} {...tagsForm.button}>
            Tags
          </Button>
          {hasChannelChoice && (
            <Button variant="outline" aria-label={`Channel of ${name}`} {...channelForm.button}>
              Channel
            </Button>
          )}
          <ConfirmButton
            label="Delete links"
            name={`Delete links of ${name}`}
            pendingLabel="Deleting..."
            question={`Delete the links of ${name}?`}
            variant="outline"
            isPending={deletion.isPending}
            onConfirm={(close) => deletion.mutate(undefined, { onSuccess: close, onError: close })}
          >
            <p className="mt-3 leading-6 text-pretty">
              The short links stop working wherever they are shared, and their clicks are no longer shown. The address
              of the pattern goes on working.
            </p>
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
        <p>{`Created ${formatDay(createdAt)}`}</p>
        <p>{`Links: ${linkCount.toLocaleString("en")} of ${PATTERN_LINKS_MAX_COUNT.toLocaleString("en")}, within 24 hours ${linkCountOfDay.toLocaleString("en")} of ${PATTERN_LINKS_PER_DAY_MAX_COUNT.toLocaleString("en")}`}</p>
        <p className="wrap-anywhere">{tags.length > 0 ? `Only with the tag ${tags.join(" or ")}` : "With any tag"}</p>
        {channel !== undefined && (channels.length > 1 || pattern.usesChannelTag) && (
          <p className="wrap-anywhere">{channelOfAll(channel, pattern.usesChannelTag)}</p>
        )}
      </div>
      <div className="mt-1 flex items-center gap-1">
        <code className="min-w-0 text-code wrap-anywhere">{prefix}</code>
        <CopyButton
          text={prefix}
          label={`Copy the address of ${name}`}
          success="The address was copied."
          failure="Failed to copy the address. Please try again."
        />
      </div>
      <p className="text-sm text-pretty text-muted">
        {"Add the Amazon link after the =. If it contains & or #, encode it as a query value."}
      </p>
    </RevocableItem>
  );
}

const Tags = z.nonoptional(updatePattern.body.shape.tags);

/** Changes the tags that a pattern is restricted to. */
function TagsForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { tags: pattern.tags.join(", ") },
  });
  const { mutate, isPending } = useChangePattern(pattern, "The tags of the link pattern were changed.");

  function submit({ tags }: { tags: string }) {
    const parsed = z.safeParse(Tags, tags.split(/[\s,;]+/).filter(Boolean));
    if (parsed.success) mutate({ tags: parsed.data }, { onSuccess: onClose });
    else setError("tags", { message: parsed.error.issues[0]?.message ?? "" }, { shouldFocus: true });
  }

  return (
    <InlineForm pending={isPending} saveLabel="Save" onSubmit={handleSubmit(submit)} onClose={onClose}>
      <Field
        label="Allowed tags"
        hint="Separated by commas. Other Amazon links only lead to Amazon and create no short link. If the field is empty, all tags are allowed."
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
  const { mutate, isPending } = useChangePattern(pattern, "The channel of the link pattern was changed.");
  return (
    <InlineForm
      pending={isPending}
      saveLabel="Save"
      onSubmit={() => mutate(choice, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ChannelFields label="Channel of new links" value={choice} onChange={setChoice} />
    </InlineForm>
  );
}
