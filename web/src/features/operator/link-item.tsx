import type { OperatorLink } from "@tapthru/proto/operator/links";
import { ShortUrl } from "../../components/short-url.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { formatDay, hasPassed } from "../../lib/dates.ts";
import { linksOfPath } from "./links-api.ts";
import { OPERATOR_ITEM } from "./operator-list.tsx";
import { OwnerLink } from "./owner-link.tsx";

interface LinkItemProps {
  link: OperatorLink;
  isSelected: boolean;
  onToggle: () => void;
}

export function LinkItem({ link, isSelected, onToggle }: LinkItemProps) {
  const { shortCode, title, webUrl, createdAt, expiresAt, owner, takenDownAt, addressHash } = link;
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
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
          {takenDownAt !== null && <Badge>Taken down</Badge>}
          {hasPassed(expiresAt) && <Badge>Expired</Badge>}
        </h2>
        <p className="mt-0.5 text-sm wrap-anywhere">
          <ShortUrl link={link} />
        </p>
        <p className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">
          <span className="sr-only">Leads to </span>
          {webUrl}
        </p>
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
