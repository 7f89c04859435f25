import { useQuery } from "@tanstack/react-query";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { openingSummary } from "./opening-summary.ts";
import { openingTableQuery } from "./opening-table.ts";

/**
 * Says in one sentence how a short link opens.
 * @param statusPath the page about how often the Amazon app opens
 */
export function OpeningCard({ statusPath }: { statusPath: string }) {
  const { data: table = BUILT_IN_OPENING_TABLE } = useQuery(openingTableQuery);
  return (
    <Card title="How will this open?">
      <p className="mb-2 text-md leading-6 text-pretty">{openingSummary(table)}</p>
      <p className="text-md">
        <PageLink to={statusPath} className={`${textLinkClass} inline-block py-1`}>
          How often this works
        </PageLink>
      </p>
    </Card>
  );
}
