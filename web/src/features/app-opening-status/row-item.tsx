import type { RowStatus } from "@tapthru/proto/app-opening-status";
import { formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { APP_NAMES, DEVICE_NAMES } from "../../lib/names.ts";

/** An app on a system with its open rate. An unknown app is named by its id. */
export function RowItem({ row: { app, os, tried, opened } }: { row: RowStatus }) {
  const name = `${APP_NAMES[app] ?? app} on ${DEVICE_NAMES[os]}`;
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
        <p className="text-lg font-semibold tabular-nums">{formatShare(opened / tried)}</p>
      </div>
      <p className="mt-1 text-sm text-muted">{`${formatNumber(opened)} of ${formatNumber(tried)} taps`}</p>
      <span aria-hidden className="mt-2 block h-1 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full bg-accent forced-colors:bg-chosen"
          style={{ width: `${(100 * opened) / tried}%` }}
        />
      </span>
    </li>
  );
}
