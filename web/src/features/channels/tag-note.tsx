import { tag as tagSchema } from "@tapthru/proto/fields";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { type TagHealth, tagHealth, tagHealthIn } from "@tapthru/proto/rules/amazon/tag-health";
import { CircleAlert, Tag } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod/mini";

const TAG_MISSING = "This link has no tag, so you earn nothing from purchases.";

interface TagNoteProps {
  url: string;
  served?: readonly OneLinkStore[] | undefined;
}

export function TagNote({ url, served }: TagNoteProps) {
  const page = parseStorePage(url);
  if (page === null) return null;
  const health = tagHealth(page, served);
  const isWarning = !isFine(health);
  const Icon = isWarning ? CircleAlert : Tag;
  return (
    <div className="flex items-start gap-2.5 text-sm leading-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isWarning ? "text-notice-ink" : "text-accent"}`} />
      <p className="min-w-0 text-pretty wrap-anywhere">
        {tagsIn(health).map((tag) => (
          <bdi key={tag} className="mr-2 font-semibold">
            {tag}
          </bdi>
        ))}
        <span className="text-muted">{tagMessage(health, page.marketplace)}</span>
      </p>
    </div>
  );
}

function isFine(health: TagHealth): boolean {
  return health.kind === "sound" || health.kind === "attribution" || (health.kind === "onelink" && health.isServed);
}

function tagsIn(health: TagHealth): readonly string[] {
  if (health.kind === "none") return [];
  return health.kind === "several" ? health.tags : [health.tag];
}

/** Says what is unusual about a valid tag in a store, for a field. Tags with a warning exist, but most are typing errors. */
export function tagRemark(
  text: string,
  store: Marketplace,
  served: readonly Marketplace[] | undefined,
): { hint?: string; warning?: string } {
  const { data: tag } = z.safeParse(tagSchema, text);
  const health = tag === undefined ? null : tagHealthIn(store, tag, served);
  if (health === null || health.kind === "sound") return {};
  return { [isFine(health) ? "hint" : "warning"]: tagMessage(health, store) };
}

function tagMessage(health: TagHealth, marketplace: Marketplace): string {
  switch (health.kind) {
    case "none":
      return TAG_MISSING;
    case "sound":
      return "This tag is kept in the app and in every browser.";
    case "attribution":
      return "This is an Amazon Attribution tag. It reports to a seller and is not an Associates tag.";
    case "several":
      return "This link has more than one tag, but Amazon allows only one. Please choose it.";
    case "onelink":
      return health.isServed
        ? `Amazon OneLink pays this tag on amazon.${marketplace}, as you said under Tags and channels.`
        : `This looks like a tag for amazon.com. It earns on amazon.${marketplace} only if you set up Amazon OneLink there.`;
    case "foreign":
      return `Tags for amazon.${marketplace} usually end in ${health.suffix}. A tag earns only in the store it was issued for.`;
    case "misplaced":
      return "This tag is in a place where Amazon does not read it, so you earn nothing from purchases.";
    case "placeholder":
      return "This looks like an example from a guide. Please enter your own tag.";
    case "unusual":
      return "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
  }
}

export function TagWarning({ url, children }: { url: string; children: ReactNode }) {
  const page = parseStorePage(url);
  if (page === null || tagHealth(page).kind !== "none") return null;
  return (
    <div className="flex flex-col gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink print:hidden">
      <p className="flex items-start gap-3 text-pretty">
        <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
        {TAG_MISSING}
      </p>
      {children}
    </div>
  );
}
