import type { UserName } from "@tapthru/proto/operator/fields";
import type { OperatorLink } from "@tapthru/proto/operator/links";
import { paths } from "@tapthru/proto/rules/paths";
import { Inbox } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import * as z from "zod/mini";
import { ShortUrl } from "../../components/short-url.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded, NextPage } from "../../components/ui/loaded.tsx";
import { useSearchText } from "../../components/ui/search-field.tsx";
import { useUrlState } from "../../lib/use-url-state.ts";

export const OPERATOR_LIST_FAILED = "The list could not be loaded.";

interface OperatorListProps<Item> {
  label: string;
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined;
  query: ComponentProps<typeof NextPage>["list"] & { isPlaceholderData?: boolean; refetch: () => unknown };
  empty: string;
  item: (item: Item) => ReactNode;
}

export function OperatorList<Item>(props: OperatorListProps<Item>) {
  const { label, items, query, empty, item } = props;
  return (
    <>
      <Loaded data={items} query={query} failed={OPERATOR_LIST_FAILED}>
        {(loaded) =>
          loaded.length === 0 ? (
            <EmptyState icon={<Inbox aria-hidden className="size-8" />}>
              <p>{empty}</p>
            </EmptyState>
          ) : (
            <ul
              aria-label={label}
              aria-busy={query.isPlaceholderData ?? false}
              className="@container flex flex-col gap-3 transition-opacity aria-busy:opacity-60"
            >
              {loaded.map(item)}
            </ul>
          )
        }
      </Loaded>
      <NextPage list={query} failed={OPERATOR_LIST_FAILED} />
    </>
  );
}

export const OPERATOR_ITEM =
  "flex flex-wrap items-start gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface px-4 py-3 -outline-offset-2 sm:px-5 sm:py-4";

const Search = z.object({ q: z.catch(z.string(), "") });

/** The search of a list, in the URL of the page. @returns the text, and the properties of its field */
export function useUrlSearch() {
  const [{ q }, change] = useUrlState(Search);
  return [q, useSearchText(q, (text) => change({ q: text }))] as const;
}

export const userPath = (id: number) => `${paths.operatorUsers}?id=${id}`;

interface LinkLinesProps {
  link: Pick<OperatorLink, "shortCode" | "title" | "shortUrl" | "webUrl">;
  children: ReactNode;
}

export function LinkLines({ link, children }: LinkLinesProps) {
  return (
    <>
      <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {link.title === null ? <ShortUrl link={link} /> : <bdi className="min-w-0 wrap-anywhere">{link.title}</bdi>}
        {children}
      </h2>
      {link.title !== null && (
        <p className="mt-0.5 text-sm wrap-anywhere">
          <ShortUrl link={link} />
        </p>
      )}
      <p className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">
        <span className="sr-only">Leads to </span>
        {link.webUrl}
      </p>
    </>
  );
}

export function OwnerLink({ owner }: { owner: UserName | null }) {
  if (!owner) return <span>without an account</span>;
  return (
    <span className="wrap-anywhere">
      by{" "}
      <PageLink to={userPath(owner.id)} className={textLinkClass}>
        <bdi>{owner.username}</bdi>
      </PageLink>
    </span>
  );
}
