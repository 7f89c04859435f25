import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { oneLinkStoresOptions } from "../../lib/store-tags.ts";
import { Disclosure } from "./disclosure.tsx";
import { OpeningCard } from "./opening-card.tsx";
import { TagNote } from "./tag-note.tsx";

/** The cards on a link's details page about its tag and about how it opens. A missing tag is a warning instead. */
export function ToolCards({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  const kind = page === null ? "none" : tagHealth(page).kind;
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: kind === "onelink" });
  if (page === null) return null;
  return (
    <>
      {kind !== "none" && (
        <Card title={messages.affiliateTag}>
          <TagNote url={link.webUrl} served={served} />
          {kind !== "attribution" && <Disclosure />}
        </Card>
      )}
      <OpeningCard page={page} shortUrl={link.shortUrl} />
    </>
  );
}
