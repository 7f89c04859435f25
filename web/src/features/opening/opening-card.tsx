import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Details } from "../../components/ui/details.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { DEVICE_NAMES } from "../../lib/names.ts";
import { openingSummary } from "./opening-summary.ts";
import { openingTableQuery } from "./opening-table.ts";
import { appLabel, referringApps, type System } from "./openings.ts";
import { MarkedAddress, PlaceOpening } from "./place-opening.tsx";
import { COUNTRY_OPTIONS, OTHER_COUNTRY, useVisit, VisitNote } from "./visit.tsx";

interface OpeningCardProps {
  page: StorePage;
  link: Pick<Link, "shortCode" | "shortUrl" | "channelId">;
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

const DEVICES = ["ios", "android", "desktop"] as const;

type OpeningPanelProps = Omit<OpeningCardProps, "statusPath"> & { table: AppOpeningTable };

/** Shows what a short link does in each country, on each device and in each app, according to the rules of the redirect service. */
function OpeningPanel({ page, link, table }: OpeningPanelProps) {
  const [country, setCountry] = useState(OTHER_COUNTRY);
  const [device, setDevice] = useState<(typeof DEVICES)[number]>("ios");
  const [chosen, setChosen] = useState("");
  const visit = useVisit(page, link, country);
  const opened = visit.routedPage ?? page;
  return (
    <div className="flex flex-col gap-5">
      {page.kind === "product" && (
        <div>
          <SelectField label="Visitors from" options={COUNTRY_OPTIONS} value={country} onChange={setCountry} />
          <VisitNote visit={visit} />
        </div>
      )}
      <ChoiceBar
        legend="Device"
        choices={DEVICES.map((each) => [each, DEVICE_NAMES[each]])}
        value={device}
        onChange={setDevice}
      />
      {device === "desktop" ? (
        <div>
          <p className="mb-2 text-md">
            {visit.routedPage === null ? "Opens the original page right away:" : "Opens this page right away:"}
          </p>
          <MarkedAddress address={opened.webUrl} page={opened} />
        </div>
      ) : (
        <PhoneOpening
          system={device}
          chosen={chosen}
          onChoose={setChosen}
          page={opened}
          original={visit.routedPage && page}
          shortUrl={link.shortUrl}
          table={table}
        />
      )}
      {opened.tag !== null && <p className="text-sm text-muted">Your tag is highlighted.</p>}
    </div>
  );
}

interface PhoneOpeningProps {
  system: System;
  /** The name of the chosen app. It stays chosen when the device changes. */
  chosen: string;
  onChoose: (name: string) => void;
  page: StorePage;
  /** What the page that opens the app offers besides `page`. */
  original: StorePage | null;
  shortUrl: string;
  table: AppOpeningTable;
}

function PhoneOpening({ system, chosen, onChoose, table, ...opening }: PhoneOpeningProps) {
  const places = referringApps(system, table);
  const place = places.find((each) => appLabel(each) === chosen) ?? places[0];
  if (!place) return null;
  const names = places.map(appLabel);
  return (
    <>
      <SelectField
        label="Opened from"
        options={names.map((name) => [name, name] as const)}
        value={appLabel(place)}
        onChange={onChoose}
      />
      <PlaceOpening place={place} {...opening} />
    </>
  );
}
