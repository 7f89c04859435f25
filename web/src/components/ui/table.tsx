import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { formatNumber } from "../../lib/locale-formats.ts";
import { textLinkClass } from "./button.tsx";

export interface Column<Row, Order extends string = never> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** The order of rows that the heading chooses: the highest value first, in the first column the lowest. */
  order?: Order | undefined;
  className?: string;
}

interface DataTableProps<Row, Order extends string> {
  caption: string;
  /** The first one names the row, and stays while the others are scrolled. */
  columns: readonly [Column<Row, Order>, ...Column<Row, Order>[]];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  order?: Order;
  onOrder?: (order: Order) => void;
  /** The share of a row, from 0 to 1: a bar behind its name. */
  shareOf?: (row: Row) => number;
  /** A button shows the rows beyond this number. */
  shortCount?: number;
  className?: string;
}

export function DataTable<Row, Order extends string = never>(props: DataTableProps<Row, Order>) {
  const { caption, columns, rows, keyOf, order, onOrder, shareOf, shortCount = rows.length, className = "" } = props;
  const [showsAll, setShowsAll] = useState(false);
  const area = useRef<HTMLElement>(null);
  const scrolls = useScrolls(area);
  const [naming, ...others] = columns;
  const headings = [{ ...naming, look: NAME }, ...others.map((column) => ({ ...column, look: NUMBER }))];
  return (
    <div>
      <section
        ref={area}
        aria-label={caption}
        // The keyboard scrolls it.
        tabIndex={scrolls ? 0 : undefined}
        // Text for screen readers is positioned absolutely, and must not widen the page. Names must not cover the focus.
        className={`relative scroll-ps-row-name overflow-auto ${className}`}
      >
        <table className="w-full text-md tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-sm text-muted">
              {headings.map(({ name, order: own, look, className: extra = "" }) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={
                    own === undefined || own !== order ? undefined : look === NAME ? "ascending" : "descending"
                  }
                  className={`py-1.5 align-bottom font-medium ${look} ${extra}`}
                >
                  {own === undefined || onOrder === undefined ? (
                    name
                  ) : (
                    <SortButton isChosen={own === order} isAscending={look === NAME} onClick={() => onOrder(own)}>
                      {name}
                    </SortButton>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(showsAll ? rows : rows.slice(0, shortCount)).map((row) => (
              <tr key={keyOf(row)} className="border-t border-line">
                <th scope="row" className={`py-2 align-top font-normal ${NAME} ${naming.className ?? ""}`}>
                  {/* Wide enough for a word, and narrow enough to leave room for numbers beside large text. */}
                  <div className="relative min-w-row-name wrap-anywhere">
                    {shareOf && (
                      <span
                        aria-hidden
                        className="absolute -inset-y-1 start-0 rounded-sm bg-accent/15"
                        style={{ width: `${100 * shareOf(row)}%` }}
                      />
                    )}
                    <div className={shareOf && "relative ps-1.5"}>{naming.cell(row)}</div>
                  </div>
                </th>
                {others.map(({ name, cell, className: extra = "" }) => (
                  <td key={name} className={`py-2 align-top whitespace-nowrap ${NUMBER} ${extra}`}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shortCount && (
        <button
          type="button"
          aria-expanded={showsAll}
          className={`${textLinkClass} mt-3 text-sm`}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? "Show less" : `Show all ${formatNumber(rows.length)}`}
        </button>
      )}
    </div>
  );
}

function useScrolls(ref: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
    );
    for (const each of [element, ...element.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [ref]);
  return scrolls;
}

const NAME = "sticky start-0 bg-surface text-start";
const NUMBER = "ps-3 text-end";

interface SortButtonProps {
  isChosen: boolean;
  isAscending: boolean;
  onClick: () => void;
  children: string;
}

export function SortButton({ isChosen, isAscending, onClick, children }: SortButtonProps) {
  const Icon = isAscending ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={`inline-flex min-h-6 items-center gap-1 text-end hover:text-ink ${isAscending ? "" : "flex-row-reverse"} ${isChosen ? "font-semibold text-ink" : ""}`}
    >
      {children}
      <Icon aria-hidden className={`size-3.5 shrink-0 ${isChosen ? "" : "invisible"}`} />
    </button>
  );
}
