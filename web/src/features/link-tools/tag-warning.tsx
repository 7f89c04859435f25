import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

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
    <div className="flex flex-col gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink">
      <p className="flex items-start gap-3 text-pretty">
        <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
        {messages.tagMissing}
      </p>
      {children}
    </div>
  );
}
