import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Activity } from "@tapthru/proto/activity";
import type { ReactNode } from "react";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { formatSecond } from "../../lib/dates.ts";
import { actionText, type Change, changesOf } from "./describe.ts";

const ACTIVITY_FAILED = "The activity could not be loaded.";

interface ActivityListProps<Row extends Activity> {
  list: UseInfiniteQueryResult<InfiniteData<{ activity: Row[] }>>;
  empty: string;
  /** What was changed; null: the same in all rows. */
  objectOf: (row: Row) => ReactNode;
  actorOf: (row: Row) => ReactNode;
  /** Below the changes. */
  detailsOf?: (row: Row) => ReactNode;
}

export function ActivityList<Row extends Activity>(props: ActivityListProps<Row>) {
  const { list, empty, detailsOf } = props;
  const rows = list.data?.pages.flatMap(({ activity }) => activity) ?? [];
  if (list.data && rows.length === 0) return <p className="leading-6 text-muted">{empty}</p>;
  return (
    <Loaded data={list.data} query={list} failed={ACTIVITY_FAILED}>
      {() => (
        <div className="flex flex-col gap-4">
          <ol
            aria-label="Activity"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-line transition-opacity aria-busy:opacity-60"
          >
            {rows.map((row) => (
              <li key={row.id} className="py-4 first:pt-0">
                <p className="flex flex-wrap gap-x-2 font-medium wrap-anywhere">
                  {actionText(row)}
                  {props.objectOf(row)}
                </p>
                <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm wrap-anywhere text-muted">
                  <span>{props.actorOf(row)}</span>
                  <time dateTime={row.at}>{formatSecond(row.at)}</time>
                </p>
                <Changes changes={changesOf(row)} />
                {detailsOf?.(row)}
              </li>
            ))}
          </ol>
          <NextPage list={list} failed={ACTIVITY_FAILED} />
        </div>
      )}
    </Loaded>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <dl className="mt-2 flex flex-col gap-1 text-sm">
      {changes.map(({ name, before, after }) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="min-w-0 wrap-anywhere text-muted">{name}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-2">
            {before !== null && <Value text={before} />}
            {before !== null && after !== null && (
              <span className="text-muted">
                <span aria-hidden>→</span>
                <span className="sr-only">changed to</span>
              </span>
            )}
            {after !== null && <Value text={after} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text }: { text: string }) {
  return <bdi className={`line-clamp-3 min-w-0 wrap-anywhere ${text === "nothing" ? "text-muted" : ""}`}>{text}</bdi>;
}
