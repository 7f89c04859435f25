import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { type ClickScope, clicksOptions } from "./api/get-clicks.ts";
import { BreakdownTable } from "./breakdown-table.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CountryName } from "./country-name.tsx";
import { CsvButton } from "./csv-button.tsx";
import { DIMENSIONS, type Dimension, valueName } from "./value-name.ts";

/** Taps of people by country, store, device, app, website or outcome of the app opening. */
export function Breakdown({ scope }: { scope: ClickScope }) {
  const [by, setBy] = useState<Dimension>("country");
  return (
    <Card title={messages.clickSources}>
      <div className="flex flex-col gap-5">
        <ChoiceBar
          legend={messages.clickBreakdown}
          isLegendHidden
          choices={DIMENSIONS.map((each) => [each, messages.clickBreakdowns[each]])}
          value={by}
          onChange={setBy}
        />
        <Rows key={by} scope={scope} by={by} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          {by === "country" && (
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <OutsideLink href="https://db-ip.com" className={textLinkClass}>
                {messages.countriesBy}
              </OutsideLink>
            </p>
          )}
          <CsvButton scope={scope} by={by} />
        </div>
      </div>
    </Card>
  );
}

function Rows({ scope, by }: { scope: ClickScope; by: Dimension }) {
  const query = useQuery(clicksOptions(scope, by));
  const { data } = query;
  if (!data) return <ClicksPending query={query} />;
  const rows = data.breakdown.filter(({ person }) => person > 0);
  if (rows.length === 0) return <p className="text-muted">{messages.noClicks}</p>;
  const heading = messages.clickBreakdowns[by];
  return (
    <BreakdownTable
      caption={`${messages.clickSources}: ${heading}`}
      nameHeading={heading}
      rows={rows}
      renderName={(key) => (by === "country" ? <CountryName code={key} /> : valueName(by, key))}
    />
  );
}
