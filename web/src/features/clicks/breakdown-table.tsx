import { type ReactNode, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";

interface BreakdownTableProps {
  caption: string;
  /** Heading of the first column. */
  nameHeading: string;
  /** Most taps first. */
  rows: readonly { key: string; person: number }[];
  renderName: (key: string) => ReactNode;
}

const FEW_ROWS = 8;

/** Taps of people by one dimension, with shares of the sum. */
export function BreakdownTable(props: BreakdownTableProps) {
  const { caption, nameHeading, rows, renderName } = props;
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rows : rows.slice(0, FEW_ROWS);
  const sum = rows.reduce((total, { person }) => total + person, 0);
  return (
    <div>
      <ScrollArea label={caption}>
        <table className="w-full text-md tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="text-sm text-muted">
              <th scope="col" className="py-1.5 text-start font-medium">
                {nameHeading}
              </th>
              <th scope="col" className="py-1.5 ps-3 text-end font-medium">
                {CLICK_CLASS_NAMES.person}
              </th>
              <th scope="col" className="py-1.5 ps-3 text-end font-medium max-sm:sr-only">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, person }) => (
              <tr key={key} className="border-t border-line">
                <th scope="row" className="w-full py-2 text-start font-normal">
                  {/* Wide enough for a word with large text. */}
                  <div className="min-w-28 wrap-anywhere">{renderName(key)}</div>
                  <ShareBar share={sum === 0 ? 0 : person / sum} />
                </th>
                <td className="py-2 ps-3 text-end align-top">{formatNumber(person)}</td>
                <td className="py-2 ps-3 text-end align-top text-muted max-sm:sr-only">
                  {formatShare(sum === 0 ? 0 : person / sum)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {rows.length > FEW_ROWS && (
        <button type="button" className={`${textLinkClass} mt-3 text-sm`} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show less" : `Show all ${formatNumber(rows.length)}`}
        </button>
      )}
    </div>
  );
}

function ShareBar({ share }: { share: number }) {
  return (
    <span aria-hidden className="mt-1 block h-1 rounded-full bg-sunken">
      <span
        className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
        style={{ width: `${100 * share}%` }}
      />
    </span>
  );
}
