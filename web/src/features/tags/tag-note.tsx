import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { type TagHealth, tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { CircleAlert, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { TAG_MISSING, tagMessage } from "./tag-message.ts";

interface TagNoteProps {
  url: string;
  /** The stores that OneLink serves for the owner. */
  served?: readonly OneLinkStore[] | undefined;
}

/** Shows the tags in a URL and whether they are valid. */
export function TagNote({ url, served }: TagNoteProps) {
  const page = parseStorePage(url);
  if (page === null) return null;
  const health = tagHealth(page, served);
  const isWarning = !isFine(health);
  const Icon = isWarning ? CircleAlert : Tag;
  return (
    <div className="flex items-start gap-2.5 text-sm leading-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isWarning ? "text-danger" : "text-accent"}`} />
      <p className="min-w-0 text-pretty wrap-anywhere">
        {tagsIn(health).map((tag) => (
          <bdi key={tag} className="mr-2 font-semibold">
            {tag}
          </bdi>
        ))}
        <span className="text-muted">{tagMessage(health, page)}</span>
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

interface TagWarningProps {
  url: string;
  /** What the user can do. */
  children: ReactNode;
}

/** Warns that a URL has no tag. Renders nothing if it has one. */
export function TagWarning({ url, children }: TagWarningProps) {
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
