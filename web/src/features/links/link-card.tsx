import type { Link } from "@tapthru/proto/http/links";
import { SHORT_URL_DISPLAY_LENGTH } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { LinkPicture } from "../../components/link-picture.tsx";
import { ShortUrl } from "../../components/short-url.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useDisplayName } from "../../lib/use-display-name.ts";
import { FROM_LIST } from "./back-to-list.ts";
import { isUsable, LinkBadges } from "./link-state.tsx";

interface LinkCardProps {
  link: Link;
  /** The path of the details page. */
  to: string;
  /** Counted from 1. */
  position: number;
  /** Null if more pages follow. */
  listLength: number | null;
}

/** The link covers the whole card. The copy button is placed above it, not nested in it. */
export const LinkCard = memo(function LinkCard(props: LinkCardProps) {
  const { link, to, position, listLength } = props;
  const name = useDisplayName(link);
  return (
    <li
      aria-posinset={position}
      aria-setsize={listLength ?? -1}
      className="group relative flex h-24 items-center gap-3 rounded-2xl border border-line bg-surface px-3 transition-colors hover:border-line-strong sm:gap-4 sm:px-4"
    >
      <LinkPicture src={link.imageUrl} />
      <div className="min-w-0 flex-1">
        <PageLink
          to={to}
          state={FROM_LIST}
          className={`${isUsable(link) ? "line-clamp-2" : "line-clamp-1"} leading-5 font-medium wrap-anywhere sm:line-clamp-1 sm:leading-6 after:absolute after:inset-0 after:rounded-2xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent`}
        >
          {name}
        </PageLink>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-muted">
          <span className="wrap-anywhere">
            <ShortUrl link={link} maxLength={SHORT_URL_DISPLAY_LENGTH} />
          </span>
          <LinkBadges link={link} />
        </p>
      </div>
      <div className="relative -mx-1 sm:mx-0">
        {!link.invalid && <CopyButton text={link.shortUrl} label={messages.copyLinkOf(name)} />}
      </div>
      {/* pointer-events-none: transformed elements are painted above the link and would catch its clicks. */}
      <ChevronRight
        aria-hidden
        className="pointer-events-none size-5 shrink-0 text-muted motion-safe:transition-transform motion-safe:group-hover:translate-x-0.5"
      />
    </li>
  );
});
