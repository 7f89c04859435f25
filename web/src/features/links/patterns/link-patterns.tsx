import { useQuery } from "@tanstack/react-query";
import { createPattern, type LinkPattern, tooManyPatterns, updatePattern } from "@tapthru/proto/patterns";
import {
  PATTERN_LINKS_MAX_COUNT,
  PATTERN_LINKS_PER_DAY_MAX_COUNT,
  PATTERNS_MAX_COUNT,
} from "@tapthru/proto/rules/limits";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { CopyButton } from "../../../components/copy-button.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";
import { Action } from "../../../kit/action.tsx";
import { CallForm, TextField } from "../../../kit/call-form.tsx";
import { Item, Items } from "../../../kit/items.tsx";
import { FormButton } from "../../../kit/may.tsx";
import { formatDay } from "../../../lib/dates.ts";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { ChannelFields, channelOfAll, findChannel, useChannels } from "../../channels/index.ts";

export function LinkPatterns() {
  return (
    <Items
      title="Link patterns"
      text="For the Amazon links on your site. Put a pattern's address in front of each: once opened, it is one of your short links."
      empty="You have no link patterns."
      call="POST /api/patterns"
      what="add link patterns"
      add="New link pattern"
      maxCount={PATTERNS_MAX_COUNT}
      tooMany={tooManyPatterns.message}
      query={useQuery(queryOf("GET /api/patterns"))}
      item={(pattern) => <PatternItem pattern={pattern} />}
      form={(close) => (
        <CallForm
          call="POST /api/patterns"
          rules={createPattern.body}
          values={{ name: "" }}
          input={(body) => ({ body })}
          save="Create link pattern"
          done="The link pattern was created. Copy its address from the list."
          onClose={close}
        >
          <TextField name="name" label="Name of the pattern" hint="For example the site that you use it on." />
        </CallForm>
      )}
    />
  );
}

/** A pattern may have ten thousand links. */
const DELETION_TIMEOUT_MS = 60_000;

function PatternItem({ pattern }: { pattern: LinkPattern }) {
  const { id, name, prefix, tags, linkCount, linkCountOfDay, createdAt } = pattern;
  const script = `<script async src="${new URL("/site.js", prefix)}" data-pattern="${id}"></script>`;
  const form = useOpenForm();
  const channels = useChannels();
  const channel = findChannel(channels, pattern.channelId)?.name;

  return (
    <Item
      name={name}
      remove={
        <Action
          call="DELETE /api/patterns/:id"
          input={{ params: { id } }}
          label="Revoke"
          of={name}
          question={`Revoke "${name}"?`}
          done="The link pattern was revoked."
          gone="This link pattern had already been revoked."
        >
          Links on your site with this address stop working, and so do Amazon links on pages with its script. The short
          links that it created stay.
        </Action>
      }
      actions={
        <>
          <FormButton call="PATCH /api/patterns/:id" form={form} aria-label={`Settings of ${name}`}>
            Settings
          </FormButton>
          <Action
            call="DELETE /api/patterns/:id/links"
            input={{ params: { id }, timeoutMs: DELETION_TIMEOUT_MS }}
            label="Delete links"
            of={`of ${name}`}
            question={`Delete the links of ${name}?`}
            done={({ deletedCount }) => `${formatCount(deletedCount, "link was", "links were")} deleted.`}
            failed="Not all links could be deleted. Please try again to delete the rest."
          >
            The short links stop working wherever they are shared, and their taps are no longer shown. The address of
            the pattern goes on working.
          </Action>
        </>
      }
      details={form.isOpen && <PatternForm pattern={pattern} onClose={form.close} />}
    >
      <div className="mt-0.5 text-sm text-pretty text-muted">
        <p>{`Created ${formatDay(createdAt)}`}</p>
        <p>{`Links: ${formatNumber(linkCount)} of ${formatNumber(PATTERN_LINKS_MAX_COUNT)}, within 24 hours ${formatNumber(linkCountOfDay)} of ${formatNumber(PATTERN_LINKS_PER_DAY_MAX_COUNT)}`}</p>
        <p className="wrap-anywhere">{tags.length > 0 ? `Only with the tag ${tags.join(" or ")}` : "With any tag"}</p>
        {channel !== undefined && (channels.length > 1 || pattern.usesChannelTag) && (
          <p className="wrap-anywhere">{channelOfAll(channel, pattern.usesChannelTag)}</p>
        )}
      </div>
      <div className="mt-1 flex items-center gap-1">
        <code className="min-w-0 text-sm wrap-anywhere">{prefix}</code>
        <CopyButton
          text={prefix}
          label={`Copy the address of ${name}`}
          failure="Failed to copy the address. Please try again."
        />
      </div>
      <p className="text-sm text-pretty text-muted">
        {"Add the Amazon link after the =. If it contains & or #, encode it as a query value."}
      </p>
      <p className="mt-3 text-sm text-pretty text-muted">
        Or put this script into your pages, in WordPress with a plugin that adds code to the header. It opens Amazon
        links as short links when they are tapped.{" "}
        <OutsideLink href="/site-preview.html" className={textLinkClass}>
          See which links it changes
        </OutsideLink>
      </p>
      <div className="mt-1 flex items-center gap-1">
        <code className="min-w-0 text-sm wrap-anywhere">{script}</code>
        <CopyButton
          text={script}
          label={`Copy the script of ${name}`}
          failure="Failed to copy the script. Please try again."
        />
      </div>
    </Item>
  );
}

const Tags = z.nonoptional(updatePattern.body.shape.tags);
const tagsOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

const PatternRules = z.object({
  choice: z.object({ channelId: z.nullable(z.number()), usesChannelTag: z.boolean() }),
  tags: z.string().check((context) => {
    const input = context.value;
    const message = Tags.safeParse(tagsOf(input)).error?.issues[0]?.message;
    if (message) context.issues.push({ code: "custom", input, message });
  }),
});

function PatternForm({ pattern, onClose }: { pattern: LinkPattern; onClose: () => void }) {
  const { id, tags, channelId, usesChannelTag } = pattern;
  return (
    <CallForm
      call="PATCH /api/patterns/:id"
      rules={PatternRules}
      values={{ tags: tags.join(", "), choice: { channelId, usesChannelTag } }}
      input={({ choice, ...texts }) => ({ params: { id }, body: { tags: tagsOf(texts.tags), ...choice } })}
      done="The link pattern was changed."
      onClose={onClose}
    >
      <TextField
        name="tags"
        label="Allowed tags"
        hint="Separated by commas. Other Amazon links only lead to Amazon and create no short link. If the field is empty, all tags are allowed."
        autoCapitalize="none"
        spellCheck={false}
      />
      <ChannelField />
    </CallForm>
  );
}

function ChannelField() {
  const { field } = useController({ name: "choice" });
  return <ChannelFields label="Channel of new links" value={field.value} onChange={field.onChange} />;
}
