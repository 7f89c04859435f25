import { useQuery } from "@tanstack/react-query";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Details } from "../../components/ui/details.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { OpeningPanel, type ShortLink } from "./opening-panel.tsx";
import { openingSummary } from "./opening-summary.ts";
import { openingTableQuery } from "./opening-table.ts";

interface OpeningCardProps {
  page: StorePage;
  link: ShortLink;
  /** The page about how often the Amazon app opens. */
  statusPath: string;
}

/** Says in one sentence how a short link opens. The addresses for each device and app are in the details. */
export function OpeningCard({ page, link, statusPath }: OpeningCardProps) {
  const { data: table = BUILT_IN_OPENING_TABLE } = useQuery(openingTableQuery);
  return (
    <Card title="How will this open?">
      <p className="mb-2 text-md leading-6 text-pretty">{openingSummary(table)}</p>
      <p className="text-md">
        <PageLink to={statusPath} className={`${textLinkClass} inline-block py-1`}>
          How often this works
        </PageLink>
      </p>
      <Details summary="Show technical details" openSummary="Hide technical details">
        <OpeningPanel page={page} link={link} table={table} />
      </Details>
    </Card>
  );
}
