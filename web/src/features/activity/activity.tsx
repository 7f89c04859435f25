import { useInfiniteQuery } from "@tanstack/react-query";
import type { Activity, ActorKind } from "@tapthru/proto/activity";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { paths } from "@tapthru/proto/rules/paths";
import * as z from "zod/mini";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { SearchField, useSearchText } from "../../components/ui/search-field.tsx";
import { Action } from "../../kit/action.tsx";
import { formatMinute, formatSecond } from "../../lib/dates.ts";
import { pagesOf } from "../../lib/http/query-presets.ts";
import { useUrlState } from "../../lib/use-url-state.ts";

export const OwnActivity = () => <ActivityPage call="GET /api/activity" search="Search for a short code or name" />;

export const AllActivity = () => (
  <ActivityPage call="GET /api/operator/activity" search="Search for a username, email address or object" />
);

const text = z.catch(z.string(), "");
const Filters = z.object({ q: text, action: text, addressHash: text });

interface ActivityPageProps {
  call: "GET /api/activity" | "GET /api/operator/activity";
  search: string;
}

function ActivityPage({ call, search: label }: ActivityPageProps) {
  const [view, change] = useUrlState(Filters);
  const filters = Object.fromEntries(Object.entries(view).filter(([, value]) => value !== ""));
  const list = useInfiniteQuery(pagesOf(call, filters));
  const search = useSearchText(view.q, (q) => change({ q }));
  const failed = "The activity could not be loaded.";
  return (
    <div className="flex flex-col gap-5">
      <SearchField label={label} placeholder="Search" {...search} />
      {(filters.action || filters.addressHash) && (
        <PageLink to={{ search: "" }} className={textLinkClass}>
          Show all changes
        </PageLink>
      )}
      <Loaded data={list.data} query={list} failed={failed}>
        {({ pages }) =>
          pages[0]?.activity.length === 0 ? (
            <p className="leading-6 text-muted">No changes are recorded.</p>
          ) : (
            <ol
              aria-label="Activity"
              aria-busy={list.isPlaceholderData}
              className="divide-y divide-line transition-opacity aria-busy:opacity-60"
            >
              {pages
                .flatMap(({ activity }) => activity)
                .map((row, at, rows) => (
                  <ActivityRow
                    key={row.id}
                    row={row}
                    isUndone={rows.slice(0, at).some((later) => undoes(later, row))}
                  />
                ))}
            </ol>
          )
        }
      </Loaded>
      <NextPage list={list} failed={failed} />
    </div>
  );
}

/** Returns true if the links that a change gave a product have got another one since. Later rows are above. */
function undoes(later: Activity, { action, object, after }: Activity): boolean {
  return later.action === action && later.object === object && later.before?.product === after?.product;
}

function ActivityRow({ row, isUndone }: { row: Activity; isUndone: boolean }) {
  const { action, object, at, ownerUsername: owner, addressHash, requestId } = row;
  const isOfAll = owner !== undefined;
  const hasPage = !isOfAll && action.startsWith("link.") && action !== "link.deleted";
  const name = <bdi className="min-w-0 empty:hidden">{object}</bdi>;
  return (
    <li className="py-4 first:pt-0">
      <p className="flex flex-wrap gap-x-2 gap-y-1 font-medium wrap-anywhere">
        {isOfAll ? <FilterLink by="action" value={action} text={actionText(action)} /> : actionText(action)}
        {hasPage ? <PageLink to={paths.link(object)} className={textLinkClass} children={name} /> : name}
        {owner && (
          <span className="font-normal text-muted">
            of <FilterLink by="q" value={owner} text={owner} />
          </span>
        )}
      </p>
      <p className="mt-1.5 flex flex-wrap gap-x-2 gap-y-1.5 text-sm wrap-anywhere text-muted">
        <span>{actorText(row)}</span>
        <time dateTime={at}>{formatSecond(at)}</time>
        {addressHash && <FilterLink by="addressHash" value={addressHash} text={addressText(addressHash)} />}
        {isOfAll && requestId && <span>{`Request ${requestId}`}</span>}
      </p>
      {changesOf(row).map(({ name, values }) => (
        <p key={name} className="mt-1 line-clamp-3 text-sm wrap-anywhere">
          <span className="text-muted">{`${name}: `}</span>
          <bdi>{values.join(" → ")}</bdi>
        </p>
      ))}
      {action === "links.changed" && !isOfAll && !isUndone && <UndoProduct {...row} />}
    </li>
  );
}

const addressText = (hash: string) => `Address ${hash.slice(0, 8)}`;

function FilterLink({ by, value, text }: { by: keyof z.infer<typeof Filters>; value: string; text: string }) {
  return (
    <PageLink to={{ search: new URLSearchParams({ [by]: value }).toString() }} className={textLinkClass}>
      <bdi>{text}</bdi>
    </PageLink>
  );
}

function UndoProduct({ object, at, before, after }: Activity) {
  const marketplace = object.slice("amazon.".length) as Marketplace;
  const products = { from: String(after?.product), to: String(before?.product) };
  return (
    <div className="mt-2">
      <Action
        call="PATCH /api/links/bulk"
        input={{ body: { product: { marketplace, ...products, undoOf: at } } }}
        label="Undo"
        variant="quiet"
        done="The links get their addresses back."
      />
    </div>
  );
}

const ACTOR_NAMES: Record<ActorKind, string> = {
  user: "You",
  key: "API key",
  mcp: "Assistant with the API key",
  operator: "An operator of this site",
  visitor: "A visitor",
  job: "This site:",
  command: "The server's command line:",
};

/** Kinds of objects, and columns, whose names do not say enough. Others are shown as they are. */
const NAMES: Record<string, string | undefined> = {
  "amazon-ads-connection": "Connection to Amazon Ads",
  colour: "Color",
  hsts: "Only https",
  key: "API key",
  "onelink-store": "OneLink store",
  routing: "Visitors' stores",
  previous_secret_until: "Earlier secret until",
  "two-factor": "Two-factor login",
  untagged_code: "Link without a tag",
  url: "Address",
  web_url: "Destination",
  weekly_email: "Weekly email",
};

/** "store_tags" and "storeTags" become "Store tags". */
function wordsOf(name: string): string {
  const words = name.replace(/^is_|_at$/g, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return NAMES[name] ?? (words.charAt(0).toUpperCase() + words.slice(1)).replace(/[-_]/g, " ");
}

/** Says what happened, such as "Link changed". */
export function actionText(action: string): string {
  const [kind = "", ...verbs] = action.split(".");
  return [wordsOf(kind), ...verbs.map((verb) => verb.replace(/-/g, " "))].join(" ");
}

export function actorText({ actor, actorName, actorUsername }: Activity): string {
  if (actor === "user" && actorUsername !== null) return actorUsername;
  return [ACTOR_NAMES[actor], actorName, actorUsername && `(${actorUsername})`].filter(Boolean).join(" ");
}

/** Each change with its values before and after. A new or deleted object has one value each, if it is not known by it. */
export function changesOf({ object, before, after }: Activity): { name: string; values: string[] }[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const values = [before, after].flatMap((columns) => (columns && name in columns ? [valueText(columns[name])] : []));
    const isKnown = values.length === 1 && (values[0] === object || values[0] === "nothing");
    return isKnown ? [] : [{ name: wordsOf(name), values }];
  });
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "nothing";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${valueText(part)}`);
    return parts.join(", ") || "nothing";
  }
  const text = String(value);
  return TIME.test(text) && !Number.isNaN(Date.parse(text)) ? formatMinute(text) : text;
}
