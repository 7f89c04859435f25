import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { Card } from "../../components/ui/card.tsx";
import { type ClickScope, clicksOptions } from "./api/get-clicks.ts";
import { BreakdownTable } from "./breakdown-table.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CsvButton } from "./csv-button.tsx";

interface TopLinksProps {
  scope: ClickScope;
  renderLink: (shortCode: string) => ReactNode;
}

/** The links with the most taps. */
export function TopLinks({ scope, renderLink }: TopLinksProps) {
  const query = useQuery(clicksOptions(scope, "link"));
  const rows = query.data?.breakdown.filter(({ person }) => person > 0);
  return (
    <Card title={messages.topLinks}>
      {!rows && <ClicksPending query={query} />}
      {rows?.length === 0 && <p className="text-muted">{messages.noClicks}</p>}
      {rows && rows.length > 0 && (
        <>
          <BreakdownTable
            caption={messages.topLinks}
            nameHeading={messages.linkColumn}
            rows={rows.slice(0, MAX_LINKS)}
            renderName={renderLink}
          />
          <div className="mt-5 flex justify-end">
            <CsvButton scope={scope} by="link" />
          </div>
        </>
      )}
    </Card>
  );
}

/** The CSV file has all links. */
const MAX_LINKS = 50;
