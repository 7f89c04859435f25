import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../components/copy-button.tsx";
import { textLinkClass } from "../components/ui/button.tsx";
import { Card } from "../components/ui/card.tsx";
import { PageLink } from "../components/ui/links.tsx";
import { OpeningCard } from "../features/opening/opening-card.tsx";
import { oneLinkStoresOptions } from "../features/tags/store-tags.ts";
import { TagNote } from "../features/tags/tag-note.tsx";

interface ToolCardsProps {
  link: Link;
  /** The page where users say which stores OneLink serves. */
  storesPath: string;
  /** The page about how often the Amazon app opens. */
  statusPath: string;
}

/** The cards on a link's details page about its tag and about how it opens. A missing tag is a warning instead. */
export function ToolCards({ link, storesPath, statusPath }: ToolCardsProps) {
  const page = parseStorePage(link.webUrl);
  const kind = page === null ? "none" : tagHealth(page).kind;
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: kind === "onelink" });
  if (page === null) return null;
  return (
    <>
      {kind !== "none" && (
        <Card title={messages.affiliateTag}>
          <TagNote url={link.webUrl} served={served} />
          {kind === "onelink" && (
            <p className="mt-3 text-sm leading-5">
              <PageLink to={storesPath} className={textLinkClass}>
                {messages.sayWhereOneLinkServes}
              </PageLink>
            </p>
          )}
          {kind !== "attribution" && <Disclosure />}
        </Card>
      )}
      <OpeningCard page={page} link={link} statusPath={statusPath} />
    </>
  );
}

/** The disclosures that Amazon requires of associates, for the account and near each link, with copy buttons. */
function Disclosure() {
  return (
    <div className="mt-5 text-sm">
      <p className="mb-2 text-muted">{messages.disclosureAdvice}</p>
      <ul>
        {[messages.disclosureAccount, messages.disclosureLink].map((text) => (
          <li key={text} className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="min-w-0 flex-1 basis-40 text-md">{text}</span>
            <CopyButton
              text={text}
              label={messages.copyDisclosure(text)}
              failure={messages.failedToCopyText}
              success={messages.textCopied}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
