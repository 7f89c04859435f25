import type { GeneratedLink } from "@tapthru/proto/generate";
import { X } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { CopyButton, FAILED_TO_COPY_LINK } from "../../components/copy-button.tsx";
import { ShortUrl } from "../../components/short-url.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { NewTabLink } from "../../components/ui/links.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { formatShortDay } from "../../lib/dates.ts";
import { useDisplayName } from "../../lib/use-host.ts";
import { parseRecentLinks, type RecentLink, removeStoredLink } from "./stored-links.ts";
import { useRecentLinksText } from "./use-recent-links-text.ts";

const RECENT_LINKS = "Recent links in this browser";

interface RecentLinksProps {
  shown: readonly GeneratedLink[];
  fallback: ReactNode;
}

export default function RecentLinks({ shown, fallback }: RecentLinksProps) {
  const text = useRecentLinksText();
  const stored = useMemo(() => parseRecentLinks(text), [text]);
  const toast = useToast();
  const heading = useRef<HTMLHeadingElement>(null);
  const links = stored.filter((link) => !shown.some((each) => each.shortCode === link.shortCode));
  if (links.length === 0) return fallback;

  function remove({ shortCode }: RecentLink) {
    const putBack = removeStoredLink(shortCode);
    toast({
      description: "The link is not in this list any more. It works until it expires.",
      action: { label: "Undo", altText: "Undo it on the page", onSelect: putBack },
    });
    // Without further links the list is gone.
    const focused = links.length > 1 ? heading.current : heading.current?.closest("main");
    focused?.focus();
  }

  return (
    <section
      aria-label={RECENT_LINKS}
      className="rounded-2xl border border-line bg-surface px-4 pt-3 pb-1 motion-safe:animate-appear sm:px-5"
    >
      <h2 ref={heading} tabIndex={-1} className="rounded-sm text-md font-semibold">
        {RECENT_LINKS}
      </h2>
      <p className="mt-0.5 text-sm leading-5 text-muted">
        No other browser has this list. Sign up to keep the links for good.
      </p>
      <ul className="mt-1 max-h-72 divide-y divide-line overflow-y-auto">
        {links.map((link) => (
          <RecentLinkItem key={link.shortCode} link={link} onRemove={() => remove(link)} />
        ))}
      </ul>
    </section>
  );
}

function RecentLinkItem({ link, onRemove }: { link: RecentLink; onRemove: () => void }) {
  const name = useDisplayName({ ...link, nickname: null });
  return (
    <li className="@container flex flex-wrap items-center justify-between gap-x-2">
      <div className="grid min-w-0 flex-1 basis-40 items-center gap-x-4 py-1 text-sm leading-5 @md:grid-cols-[minmax(0,1fr)_auto]">
        <p dir="auto" className="line-clamp-1 text-left wrap-anywhere text-muted">
          {name}
        </p>
        <div>
          <NewTabLink href={link.shortUrl}>
            <ShortUrl link={link} />
          </NewTabLink>
        </div>
        <p className="text-muted @md:col-start-2 @md:row-span-2 @md:row-start-1">
          {`Expires ${formatShortDay(link.expiresAt)}`}
        </p>
      </div>
      <div className="flex">
        <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} failure={FAILED_TO_COPY_LINK} />
        <IconButton
          icon={X}
          label={`Remove ${name} from this list. It works until it expires, and is not in an account that you create.`}
          onClick={onRemove}
        />
      </div>
    </li>
  );
}
