import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { CopyButton, FAILED_TO_COPY_TEXT } from "../../../components/copy-button.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { oneLinkStoresOptions, TagNote } from "../../channels/index.ts";
import { isUsable } from "../link-state.tsx";
import { OpeningCard } from "../opening/opening-card.tsx";
import { LinkChannel } from "./link-channel.tsx";

interface TagOfLinkProps {
  link: Link;
  storesPath: string;
}

/** The tag of a link's destination, with its channel. A missing tag is a warning instead. */
export function TagOfLink({ link, storesPath }: TagOfLinkProps) {
  const kind = tagKind(link);
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: kind === "onelink" });
  if (!isUsable(link)) return null;
  if (kind === "none") return <LinkChannel link={link} />;
  return (
    <div className="mt-4">
      <h3 className="mb-2 text-sm text-muted">Affiliate tag</h3>
      <TagNote url={link.webUrl} served={served} />
      {kind === "onelink" && (
        <p className="mt-3 text-sm leading-5">
          <PageLink to={storesPath} className={textLinkClass}>
            Choose the stores that OneLink serves
          </PageLink>
        </p>
      )}
      <LinkChannel link={link} />
    </div>
  );
}

function tagKind({ webUrl }: Link) {
  const page = parseStorePage(webUrl);
  return page === null ? "none" : tagHealth(page).kind;
}

interface LinkOpeningProps {
  link: Link;
  statusPath: string;
}

/** How a link opens, and what its owner must say beside it. */
export function LinkOpening({ link, statusPath }: LinkOpeningProps) {
  const kind = tagKind(link);
  return (
    <>
      {parseStorePage(link.webUrl) && <OpeningCard statusPath={statusPath} />}
      {kind !== "none" && kind !== "attribution" && <Disclosure />}
    </>
  );
}

/** The disclosures that Amazon requires of associates, for the account and near each link, with copy buttons. */
function Disclosure() {
  return (
    <Card title="Disclosure">
      <p className="mb-2 text-sm text-muted">Amazon requires a disclosure:</p>
      <ul className="text-sm">
        {["As an Amazon Associate I earn from qualifying purchases.", "#ad"].map((text) => (
          <li key={text} className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="min-w-0 flex-1 basis-40 text-md">{text}</span>
            <CopyButton
              text={text}
              label={`Copy "${text}"`}
              failure={FAILED_TO_COPY_TEXT}
              success="Text copied to clipboard"
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
