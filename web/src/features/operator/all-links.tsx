import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { OperatorLink } from "@tapthru/proto/operator/links";
import { LINKS_TAKE_DOWN_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import * as z from "zod/mini";
import { Badge } from "../../components/ui/badge.tsx";
import { Button, textLinkClass } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SearchField, useSearchText } from "../../components/ui/search-field.tsx";
import { useCall } from "../../kit/use-call.ts";
import { formatDay, hasPassed } from "../../lib/dates.ts";
import { pagesOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { LinkLines, OPERATOR_ITEM, OperatorList, OwnerLink } from "./operator-list.tsx";
import { userOptions } from "./users.tsx";

const linksOfUser = (name: string) => ({
  title: name ? `Links of ${name}` : "Links of one user",
  confirmTakeDown: `Take down all links of ${name || "this user"}?`,
  confirmRestore: `Let all links of ${name || "this user"} work again?`,
  takeDownText: "Visitors see that the links no longer work. Links that are created later are not included.",
});

const LINKS_OF_ADDRESS = {
  title: "Links that were created from one network address in the last 30 days",
  confirmTakeDown: "Take down all links from this address?",
  confirmRestore: "Let all links from this address work again?",
  takeDownText:
    "People who share a network have the same address: links of other users and visitors there are included. Visitors see that the links no longer work. Links that are created later are not included.",
};

const LinksOfUrl = z.object({
  q: z.catch(z.string(), ""),
  owner: z.catch(z.nullable(z.string().check(z.regex(/^\d{1,9}$/))), null),
  address: z.catch(z.nullable(z.string()), null),
});

export function AllLinks() {
  const [{ q, owner, address }, change] = useUrlState(LinksOfUrl);
  const view = { q, ownerId: owner, addressHash: address };
  const field = useSearchText(q, (text) => change({ q: text }));
  const query = useInfiniteQuery(allLinksOptions(view));
  const links = query.data?.pages.flatMap((page) => page.links);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = links?.filter(({ shortCode }) => chosen.has(shortCode)) ?? [];
  const { takeDown, isPending } = useTakeDown();

  function toggle(shortCode: string) {
    const others = new Set(chosen);
    if (!others.delete(shortCode)) others.add(shortCode);
    setChosen(others);
  }

  function changeSelected(isTakenDown: boolean) {
    if (isPending) return;
    const shortCodes = selected.slice(0, LINKS_TAKE_DOWN_MAX_COUNT).map((link) => link.shortCode);
    const rest = [...chosen].filter((shortCode) => !shortCodes.includes(shortCode));
    takeDown({ body: { links: { shortCodes }, isTakenDown } }, { onDone: () => setChosen(new Set(rest)) });
  }

  return (
    <>
      <SearchField
        label="Search the links of all users"
        placeholder="Short code, destination, tag, username or email"
        {...field}
      />
      <LinksOf
        view={view}
        owner={links?.find((link) => String(link.owner?.id) === owner)?.owner?.username}
        isAnyDown={query.hasNextPage || links?.some(({ takenDownAt }) => takenDownAt !== null)}
        onClear={() => change({ owner: null, address: null }, false)}
      />
      {selected.length > 0 && (
        <div className="sticky-toolbar flex flex-wrap items-center justify-end gap-2 rounded-2xl border border-line bg-surface p-2">
          <p role="status" className="mr-auto shrink-0 px-2 text-md font-medium">
            {`${selected.length} selected`}
          </p>
          <Button variant="outline" aria-busy={isPending} onClick={() => changeSelected(true)}>
            Take down
          </Button>
          <Button variant="quiet" aria-busy={isPending} onClick={() => changeSelected(false)}>
            Let work again
          </Button>
          <Button variant="quiet" onClick={() => setChosen(new Set())}>
            Cancel
          </Button>
        </div>
      )}
      <OperatorList
        label="Links"
        items={links}
        query={query}
        empty={query.hasNextPage ? "None of the latest links matches. Search older ones:" : "No link was found."}
        item={(link) => (
          <LinkItem
            key={link.id}
            link={link}
            isSelected={chosen.has(link.shortCode)}
            onToggle={() => toggle(link.shortCode)}
          />
        )}
      />
    </>
  );
}

interface LinksOfProps {
  view: LinksView;
  owner: string | undefined;
  /** True if one of the links may be taken down. */
  isAnyDown: boolean | undefined;
  onClear: () => void;
}

/** Whose links the list shows, with buttons that change all of them. Nothing for the links of all users. */
function LinksOf({ view: { ownerId, addressHash }, owner = "", ...props }: LinksOfProps) {
  const { takeDown, isPending } = useTakeDown();
  const user = useQuery({ ...userOptions(ownerId ?? ""), enabled: ownerId !== null }).data;
  const isBlocked = user?.state === "blocked";
  if (ownerId === null && addressHash === null) return null;
  const links = addressHash === null ? { ownerId: Number(ownerId) } : { addressHash };
  const whose = addressHash === null ? linksOfUser(owner) : LINKS_OF_ADDRESS;
  const button = (isTakenDown: boolean) => (
    <ConfirmButton
      label={isTakenDown ? "Take all down" : "Let all work again"}
      question={isTakenDown ? whose.confirmTakeDown : whose.confirmRestore}
      variant="outline"
      confirmVariant={isTakenDown ? "danger" : "primary"}
      isPending={isPending}
      onConfirm={(close) => takeDown({ body: { links, isTakenDown } }, { onSettled: close })}
    >
      <p className="mt-3 leading-6 text-pretty">
        {isTakenDown ? whose.takeDownText : "Links that were taken down one by one stay taken down."}
      </p>
    </ConfirmButton>
  );
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-2xl bg-sunken p-2 pl-4">
      <p className="min-w-0 flex-1 basis-40 wrap-anywhere">
        {whose.title}
        {isBlocked &&
          " The user is disabled, and their links are closed. To let the links work again, enable the user."}
      </p>
      {button(true)}
      {!isBlocked && props.isAnyDown && button(false)}
      <Button variant="quiet" onClick={props.onClear}>
        Show all links
      </Button>
    </div>
  );
}

function LinkItem({ link, isSelected, onToggle }: { link: OperatorLink; isSelected: boolean; onToggle: () => void }) {
  const { shortCode, title, createdAt, expiresAt, owner, takenDownAt, isOwnerBlocked, addressHash } = link;
  const name = title ?? shortCode;
  return (
    <li className={`${OPERATOR_ITEM} has-checked:border-accent`}>
      <label className="-m-2.5 grid size-11 shrink-0 place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={onToggle}
          className="size-5 accent-accent"
        />
      </label>
      <div className="min-w-0 flex-1 basis-48">
        <LinkLines link={link}>
          {takenDownAt !== null && <Badge>Taken down</Badge>}
          {isOwnerBlocked && <Badge>Owner blocked</Badge>}
          {hasPassed(expiresAt) && <Badge>Expired</Badge>}
        </LinkLines>
        <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1.5 text-sm text-muted">
          <span>
            Created {formatDay(createdAt)} <OwnerLink owner={owner} />
          </span>
          {owner && (
            <PageLink to={linksOfPath({ ownerId: owner.id })} className={textLinkClass}>
              All links of this user
            </PageLink>
          )}
          {addressHash !== null && (
            <PageLink to={linksOfPath({ addressHash })} className={textLinkClass}>
              Links from the same address
            </PageLink>
          )}
        </p>
      </div>
    </li>
  );
}

export interface LinksView {
  q: string;
  ownerId: string | null;
  addressHash: string | null;
}

export function linksOfPath(of: { ownerId: number } | { addressHash: string }): string {
  const query = "ownerId" in of ? `owner=${of.ownerId}` : `address=${of.addressHash}`;
  return `${paths.operatorLinks}?${query}`;
}

const allLinksOptions = ({ q, ownerId, addressHash }: LinksView) =>
  pagesOf("GET /api/operator/links", {
    ...(q && { q }),
    ...(ownerId !== null && { ownerId }),
    ...(addressHash !== null && { addressHash }),
  });

/**
 * Takes links down, or lets them work again. The toast undoes it for selected links. Which of all links of a user or an
 * address the worker changes is unknown here.
 */
function useTakeDown() {
  const { call, isPending } = useCall("POST /api/operator/links/take-down", {
    done(reply, { body: { isTakenDown } }) {
      if (!("shortCodes" in reply)) {
        const { count: known } = reply;
        const links = known === null ? "Very many links" : formatCount(known, "link");
        if (!isTakenDown) return `${links} will work again within seconds.`;
        return `${links} ${reply.count === 1 ? "is" : "are"} being taken down.`;
      }
      const { count } = reply;
      if (isTakenDown) return `${formatCount(count, "link was", "links were")} taken down.`;
      return `${formatCount(count, "link works", "links work")} again.`;
    },
    undo: (reply, { body: { isTakenDown } }) =>
      "shortCodes" in reply && reply.shortCodes.length > 0
        ? { body: { links: { shortCodes: reply.shortCodes }, isTakenDown: !isTakenDown } }
        : null,
    failed: "Not all links were changed. Please try again.",
  });
  return { takeDown: call, isPending };
}
