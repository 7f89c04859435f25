import { paths } from "@tapthru/proto/rules/paths";
import { ChevronRight } from "lucide-react";
import { memo, type Ref } from "react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { ReadableShortUrl } from "../../../components/short-url.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { useDisplayName } from "../../../lib/use-host.ts";
import { FROM_LIST } from "../back-to-list.ts";
import { isUsable } from "../link-state.tsx";
import { CardMenu, type CardMenuProps } from "./card-menu.tsx";
import { LinkFacts } from "./link-facts.tsx";
import { LinkTaps } from "./link-taps.tsx";

interface LinkCardProps extends CardMenuProps {
  /** Whether it has one line. */
  isDense: boolean;
  /** Position in the list, counted from 1. */
  position: number;
  /** Length of the whole list; null if more pages follow. */
  listLength: number | null;
  ref: Ref<HTMLLIElement> | undefined;
  /** While the user selects links: whether this one is selected. */
  isSelected: boolean | undefined;
  onToggle: ((id: number, toRange: boolean) => void) | undefined;
}

/**
 * The link covers the whole card. The buttons are placed above it, not nested in it. A card that is
 * narrow for its text size has its text below the picture. While the user selects links, a checkbox
 * covers the card instead.
 */
export const LinkCard = memo(function LinkCard(props: LinkCardProps) {
  const { link, isDense, position, listLength, ref, isSelected, onToggle, onDelete } = props;
  const name = useDisplayName(link);
  const item = { ref, "data-index": position - 1, "aria-posinset": position, "aria-setsize": listLength ?? -1 };
  const checkbox = onToggle && (
    <CardCheckbox label={name} checked={isSelected ?? false} onToggle={(toRange) => onToggle(link.id, toRange)} />
  );
  const title = (className: string) =>
    onToggle ? (
      <span dir="auto" className={className}>
        {name}
      </span>
    ) : (
      <PageLink to={paths.link(link.shortCode)} state={FROM_LIST} dir="auto" className={`${className} ${COVERS_CARD}`}>
        {name}
      </PageLink>
    );
  if (isDense) {
    return (
      <li
        {...item}
        className="relative flex h-11 items-center gap-3 border-b border-line px-3 text-md last:border-0 hover:bg-sunken has-checked:bg-sunken sm:px-4"
      >
        {checkbox}
        {title("min-w-0 flex-1 truncate text-left font-medium")}
        <span className="hidden w-56 shrink-0 truncate text-sm text-muted @xl:inline print:inline">
          <ReadableShortUrl shortUrl={link.shortUrl} />
        </span>
        <LinkTaps shortCode={link.shortCode} isDense />
        {!onToggle && (
          <div className="relative z-1 -mr-3 flex print:hidden">
            {isUsable(link) && (
              <div className="hidden @xl:block">
                <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} />
              </div>
            )}
            <CardMenu link={link} onDelete={onDelete} />
          </div>
        )}
      </li>
    );
  }
  return (
    <li
      {...item}
      className="group relative flex min-h-24 items-center gap-3 rounded-2xl border border-line bg-surface px-3 py-2.5 transition-colors hover:border-line-strong has-checked:border-accent @max-narrow:flex-wrap @max-narrow:gap-x-1 @max-narrow:px-2 sm:gap-4 sm:px-4"
    >
      {checkbox}
      <LinkPicture src={link.imageUrl} />
      <div className="min-w-0 flex-1 @max-narrow:order-last @max-narrow:basis-full">
        {title(NAME)}
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <span className="wrap-anywhere">
            <ReadableShortUrl shortUrl={link.shortUrl} />
          </span>
          <LinkFacts link={link} />
        </div>
        <LinkTaps shortCode={link.shortCode} />
      </div>
      {!onToggle && (
        <div className="-mx-1 flex flex-col items-center @max-narrow:mr-0 @max-narrow:ml-auto @max-narrow:flex-row @lg:mx-0 @lg:flex-row @lg:gap-3">
          <div className="relative z-1 flex flex-col @max-narrow:flex-row @lg:flex-row">
            {isUsable(link) && <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} />}
            <CardMenu link={link} onDelete={onDelete} />
          </div>
          {/* pointer-events-none: transformed elements are painted above the link and would catch its clicks. */}
          <ChevronRight
            aria-hidden
            className="pointer-events-none size-5 shrink-0 text-muted motion-safe:transition-transform motion-safe:group-hover:translate-x-0.5"
          />
        </div>
      )}
    </li>
  );
});

/** Cut at its end, also if it is written from right to left, and always aligned with the other names. */
const NAME =
  "line-clamp-2 text-left leading-5 font-medium wrap-anywhere @max-narrow:line-clamp-4 @lg:line-clamp-1 @lg:leading-6";
const COVERS_CARD =
  "after:absolute after:inset-0 after:rounded-2xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent";

interface CardCheckboxProps {
  label: string;
  checked: boolean;
  /** @param toRange whether Shift was pressed */
  onToggle: (toRange: boolean) => void;
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
          onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          className="absolute top-1/2 left-3 size-6 -translate-y-1/2 accent-accent outline-none @max-narrow:top-6 sm:left-4"
        />
      </label>
      <span className="size-6 shrink-0" />
    </>
  );
}
