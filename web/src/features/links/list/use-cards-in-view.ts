import { measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import type { Link } from "@tapthru/proto/links";
import { LINKS_RENDERED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useLayoutEffect, useRef, useState } from "react";

/** A card's minimum height, used until the card is measured, and the gap below it. Must match their CSS classes. */
const CARD_MIN_HEIGHT_REM = 6;
const GAP_REM = 0.75;
/** Rendered beyond the viewport's edges, for keyboard navigation and fast scrolling. */
const OVERSCAN_CARDS = 8;

/** Heights by link id. They are kept when the list unmounts, so that going back restores the scroll position. */
const measuredHeights = new Map<number, number>();

/**
 * The cards to render, and the height of the space before and after them: all cards of a short list, so that find in
 * page and screen readers find them, and those in view of a long one.
 */
export function useCardsInView(links: readonly Link[]) {
  const ref = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const isLong = links.length > LINKS_RENDERED_MAX_COUNT;
  useLayoutEffect(() => {
    if (isLong && ref.current) setTop(ref.current.getBoundingClientRect().top + scrollY);
  }, [isLong]);

  // Known when the list becomes long, so that nothing moves then.
  useLayoutEffect(() => {
    if (isLong || !ref.current) return;
    for (const [index, card] of ref.current.querySelectorAll("li").entries()) {
      const link = links[index];
      if (link) measuredHeights.set(link.id, card.offsetHeight);
    }
  }, [isLong, links]);

  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const virtualizer = useWindowVirtualizer({
    enabled: isLong,
    count: links.length,
    estimateSize: (index) => measuredHeights.get(links[index]?.id ?? 0) ?? CARD_MIN_HEIGHT_REM * rem,
    measureElement: (card, entry, instance) => {
      const height = measureElement(card, entry, instance);
      const link = links[instance.indexFromElement(card)];
      if (link) measuredHeights.set(link.id, height);
      return height;
    },
    gap: GAP_REM * rem,
    overscan: OVERSCAN_CARDS,
    getItemKey: (index) => links[index]?.id ?? index,
    scrollMargin: top,
  });

  if (!isLong) {
    return {
      ref,
      measureCard: undefined,
      cards: links.map((link, index) => ({ link, index })),
      spaceBefore: 0,
      spaceAfter: 0,
    };
  }
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    ref,
    measureCard: virtualizer.measureElement,
    cards: items.flatMap(({ index }) => {
      const link = links[index];
      return link ? [{ link, index }] : [];
    }),
    spaceBefore: first ? first.start - top : 0,
    spaceAfter: virtualizer.getTotalSize() - (last ? last.end - top : 0),
  };
}
