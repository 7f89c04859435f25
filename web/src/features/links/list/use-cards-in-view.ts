import { useQueryClient } from "@tanstack/react-query";
import { measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import type { Link } from "@tapthru/proto/links";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { LINKS_RENDERED_MAX_COUNT } from "./list-links.ts";

/** The minimum heights of a card with the gap below it, and of a row, used until it is measured. Must match their CSS classes. */
const CARD_MIN_HEIGHT_REM = 6.75;
const ROW_MIN_HEIGHT_REM = 3.5;
/** The width of a window whose list has rows. */
const ROWS_MIN_WIDTH_REM = 45;
/** Rendered beyond the viewport's edges, for keyboard navigation and fast scrolling. */
const OVERSCAN_CARDS = 8;

/**
 * The cards to render, and the height of the space before and after them: all cards of a short list, so that find in
 * page and screen readers find them, and those in view of a long one.
 */
export function useCardsInView(links: readonly Link[]) {
  const ref = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const hasRows = innerWidth >= ROWS_MIN_WIDTH_REM * rem;
  const isLong = links.length > LINKS_RENDERED_MAX_COUNT;
  const measuredHeights = useMeasuredHeights();
  /** Sizes are kept by it. */
  const keyOf = useCallback((index: number) => `${hasRows} ${links[index]?.id ?? index}`, [hasRows, links]);

  // What is above the list may appear and disappear.
  useLayoutEffect(() => {
    if (!isLong) return;
    const measure = () => ref.current && setTop(ref.current.getBoundingClientRect().top + scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isLong]);

  // Known when the list becomes long, so that nothing moves then.
  useLayoutEffect(() => {
    if (isLong || !ref.current) return;
    for (const [index, card] of ref.current.querySelectorAll("li").entries())
      measuredHeights.set(keyOf(index), card.offsetHeight);
  }, [isLong, keyOf, measuredHeights]);

  const virtualizer = useWindowVirtualizer({
    enabled: isLong,
    count: links.length,
    estimateSize: (index) =>
      measuredHeights.get(keyOf(index)) ?? (hasRows ? ROW_MIN_HEIGHT_REM : CARD_MIN_HEIGHT_REM) * rem,
    measureElement: (card, entry, instance) => {
      const height = measureElement(card, entry, instance);
      measuredHeights.set(keyOf(instance.indexFromElement(card)), height);
      return height;
    },
    overscan: OVERSCAN_CARDS,
    getItemKey: keyOf,
    scrollMargin: top,
  });

  const items = isLong ? virtualizer.getVirtualItems() : [];
  const [first, last] = [items[0], items.at(-1)];
  return {
    ref,
    measureCard: isLong ? virtualizer.measureElement : undefined,
    cards: isLong
      ? items.flatMap(({ index }) => (links[index] ? [{ link: links[index], index }] : []))
      : links.map((link, index) => ({ link, index })),
    spaceBefore: first ? first.start - top : 0,
    spaceAfter: isLong ? virtualizer.getTotalSize() - (last ? last.end - top : 0) : 0,
  };
}

/** Heights of cards and rows. They are kept when the list unmounts, so that going back restores the scroll position. */
function useMeasuredHeights(): Map<string, number> {
  const queryClient = useQueryClient();
  const [heights] = useState(() => queryClient.getQueryData<Map<string, number>>(HEIGHTS_KEY) ?? new Map());
  useEffect(() => () => void queryClient.setQueryData(HEIGHTS_KEY, heights), [queryClient, heights]);
  return heights;
}

const HEIGHTS_KEY = ["heights of cards"];
