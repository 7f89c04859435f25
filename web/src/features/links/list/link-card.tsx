import type { Link } from "@tapthru/proto/links";
import { paths } from "@tapthru/proto/rules/paths";
import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { ReadableShortUrl } from "../../../components/short-url.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { formatShortDay } from "../../../lib/dates.ts";
import { useDisplayName } from "../../../lib/use-host.ts";
import { useFromList } from "../back-to-list.ts";
import { isUsable } from "../link-state.tsx";
import { CardMenu } from "./card-menu.tsx";
import { LinkState, LinkTag } from "./link-facts.tsx";
import { LinkClicks, LinkEarned, type LinkFigures } from "./link-taps.tsx";

interface LinkCardProps extends LinkFigures {
  link: Link;
  /** While the user selects links: whether this one is selected. */
  isSelected: boolean | undefined;
  onToggle: ((id: number) => void) | undefined;
}

/** A wide list has rows, whose cells are below the column headers. */
export const ROW = "link-row @2xl:grid @2xl:gap-x-3 @2xl:px-3";
const CELL = "@2xl:row-span-2 @2xl:row-start-1 @2xl:self-center";
export const ROW_CELLS = {
  name: "@2xl:col-start-2",
  tag: `@2xl:col-start-3 ${CELL}`,
  taps: `@2xl:col-start-4 @2xl:text-end ${CELL}`,
  earned: `@2xl:col-start-5 @2xl:text-end ${CELL}`,
  created: `@2xl:col-start-6 @2xl:hidden @2xl:text-end @5xl:block ${CELL}`,
};

/**
 * The link covers the whole card, or row. The buttons are placed above it, not nested in it. A card that is
 * narrow for its text size has its text below the picture. While the user selects links, a checkbox
 * covers the card instead.
 */
export const LinkCard = memo(function LinkCard(props: LinkCardProps) {
  const { link, people, earned, earnedDays, isSelected, onToggle } = props;
  const name = useDisplayName(link);
  const fromList = useFromList();
  return (
    <li className="pb-3 @2xl:pb-0 @2xl:contain-content">
      <div
        className={`group relative flex min-h-24 items-center gap-3 rounded-2xl border border-line bg-surface py-1 pr-1 pl-3 transition-colors hover:border-line-strong has-checked:border-accent @max-narrow:flex-wrap @max-narrow:gap-x-1 @max-narrow:px-2 @2xl:min-h-14 @2xl:content-center @2xl:gap-y-0 @2xl:rounded-none @2xl:border-0 @2xl:border-t @2xl:bg-transparent @2xl:hover:bg-sunken @2xl:has-checked:bg-sunken ${ROW}`}
      >
        {onToggle && <CardCheckbox label={name} checked={isSelected ?? false} onToggle={() => onToggle(link.id)} />}
        <div className={`${CELL} ${onToggle ? "@2xl:hidden" : ""}`}>
          <LinkPicture src={link.imageUrl} size="card" />
        </div>
        <div className="min-w-0 flex-1 @max-narrow:order-last @max-narrow:basis-full @2xl:contents">
          {onToggle ? (
            <span dir="auto" className={NAME}>
              {name}
            </span>
          ) : (
            <PageLink to={paths.link(link.shortCode)} state={fromList} dir="auto" className={`${NAME} ${COVERS_CARD}`}>
              {name}
            </PageLink>
          )}
          <div
            className={`flex min-w-0 flex-wrap items-center gap-x-2 text-sm text-muted @2xl:row-start-2 @2xl:flex-nowrap @2xl:overflow-hidden @2xl:[&>span]:truncate ${ROW_CELLS.name}`}
          >
            <span className="min-w-0 wrap-anywhere @2xl:shrink-0 @2xl:[&_wbr]:hidden">
              <ReadableShortUrl shortUrl={link.shortUrl} />
            </span>
            <LinkState link={link} />
          </div>
          <div className="flex min-h-5 flex-wrap items-center gap-x-1 text-sm text-muted tabular-nums @2xl:contents">
            <span className={`flex min-w-0 items-center gap-x-2 ${ROW_CELLS.tag}`}>
              <LinkTag link={link} />
            </span>
            <span className={`flex items-center gap-2 @2xl:justify-end ${ROW_CELLS.taps}`}>
              {people && <LinkClicks days={people} />}
            </span>
            <span className={`@max-2xl:not-empty:before:content-['·_'] @2xl:text-md @2xl:text-ink ${ROW_CELLS.earned}`}>
              {earned && <LinkEarned earned={earned} days={earnedDays} />}
            </span>
            <span className={`@max-2xl:sr-only ${ROW_CELLS.created}`}>
              <span className="sr-only">Created </span>
              <time dateTime={link.createdAt}>{formatShortDay(link.createdAt)}</time>
            </span>
            {/* pointer-events-none: transformed elements are painted above the link and would catch its clicks. */}
            {!onToggle && (
              <ChevronRight
                aria-hidden
                className={`pointer-events-none absolute top-2.5 right-13 size-4 shrink-0 text-muted @max-narrow:static @2xl:static @2xl:col-start-8 @2xl:hidden @2xl:size-5 @5xl:block motion-safe:transition-transform motion-safe:group-hover:translate-x-0.5 ${CELL}`}
              />
            )}
          </div>
        </div>
        {!onToggle && (
          <div
            className={`relative z-1 -my-1 flex flex-col @max-narrow:ml-auto @max-narrow:flex-row @2xl:col-start-7 @2xl:my-0 @2xl:flex-row print:hidden ${CELL}`}
          >
            {isUsable(link) && <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} />}
            <CardMenu link={link} />
          </div>
        )}
      </div>
    </li>
  );
});

/** Cut at its end, also if it is written from right to left, and always aligned with the other names. */
const NAME =
  "line-clamp-2 pr-5 text-left leading-5 font-medium wrap-anywhere @max-narrow:line-clamp-4 @max-narrow:pr-0 @2xl:pr-0 @2xl:col-start-2 @2xl:row-start-1";
const COVERS_CARD =
  "after:absolute after:inset-0 after:rounded-2xl @2xl:after:rounded-none focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent";

interface CardCheckboxProps {
  label: string;
  checked: boolean;
  onToggle: () => void;
}

/** A checkbox at the start of a card. Its label covers the whole card, so that a click anywhere toggles it. */
function CardCheckbox({ label, checked, onToggle }: CardCheckboxProps) {
  return (
    <>
      <label className="absolute inset-0 z-1 rounded-2xl outline-accent select-none has-focus-visible:outline-2 has-focus-visible:-outline-offset-2">
        <input
          type="checkbox"
          aria-label={label}
          checked={checked}
          onChange={onToggle}
          className="absolute top-1/2 left-3 size-6 -translate-y-1/2 accent-accent outline-none @max-narrow:top-6 sm:left-4"
        />
      </label>
      <span className="size-6 shrink-0 @2xl:row-span-2" />
    </>
  );
}
