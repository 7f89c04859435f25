import { useQuery } from "@tanstack/react-query";
import type { ClickReport } from "@tapthru/proto/clicks";
import { AD_SOURCE, ASSISTANT_REFERRERS, type ClickClass, DIRECT, OTHER_REFERRER } from "@tapthru/proto/clicks/keys";
import { type ReactNode, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { HeadSelect } from "../../components/ui/select-field.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { formatNumber, formatShare, LOCALE } from "../../lib/locale-formats.ts";
import { appName, CLICK_CLASS_NAMES, DEVICE_NAMES } from "../../lib/names.ts";
import { type ClickScope, clicksFile, clicksOptions } from "./api.ts";
import { ClicksLoaded } from "./clicks-loaded.tsx";

const CLICK_BREAKDOWNS = {
  country: "Country",
  store: "Store",
  device: "Device",
  app: "App",
  referrer: "Website",
  source: "Source",
  outcome: "App opening",
} as const;

const CLICK_OUTCOMES = {
  opened: "The Amazon app opened",
  stayed: "Stayed in the browser",
  unknown: "Not known",
} as const;

/** Keys of the breakdown by store that are no stores. */
const PLACES: Record<string, string | undefined> = {
  original: "The link's own store",
  fallback: "Page in place of an ended link",
  untagged: "Link without a tag (print and email)",
};

export function Breakdown({ scope }: { scope: ClickScope }) {
  const [by, setBy] = useState<Dimension>("country");
  return (
    <Card
      title="Where taps come from"
      action={
        <HeadSelect
          label="By"
          options={DIMENSIONS.map((each) => [each, CLICK_BREAKDOWNS[each]])}
          value={by}
          onSelect={setBy}
        />
      }
    >
      <div className="flex flex-col gap-2">
        <Rows key={by} scope={scope} by={by} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          {by === "country" && (
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <OutsideLink href="https://db-ip.com" className={textLinkClass}>
                IP geolocation by DB-IP
              </OutsideLink>
            </p>
          )}
          {scope.token === undefined && <DownloadButton isLink file={() => clicksFile(scope, by)} />}
        </div>
      </div>
    </Card>
  );
}

function Rows({ scope, by }: { scope: ClickScope; by: Dimension }) {
  const heading = CLICK_BREAKDOWNS[by];
  return (
    <ClicksLoaded query={useQuery(clicksOptions(scope, by))}>
      {({ breakdown }) => (
        <BreakdownTable
          caption={`Where taps come from: ${heading}`}
          nameHeading={heading}
          parts={breakdown}
          nameOf={({ key }) => (by === "country" ? countryName(key) : valueName(by, key))}
        />
      )}
    </ClicksLoaded>
  );
}

interface BreakdownTableProps {
  caption: string;
  nameHeading: string;
  /** Most counted first. */
  parts: ClickReport["breakdown"];
  nameOf: (part: ClickReport["breakdown"][number]) => ReactNode;
  /** The name of the counted items. */
  clickClass?: ClickClass;
  fewRows?: number;
}

export function BreakdownTable(props: BreakdownTableProps) {
  const { caption, nameHeading, parts, nameOf, clickClass = "person", fewRows = 8 } = props;
  const countOf = (part: ClickReport["breakdown"][number]) => part[clickClass];
  const rows = parts.filter((part) => countOf(part) > 0);
  const sum = rows.reduce((total, part) => total + countOf(part), 0);
  const name = CLICK_CLASS_NAMES[clickClass];
  if (rows.length === 0) return <p className="text-muted">{`No ${name.toLowerCase()} in this period.`}</p>;
  return (
    <DataTable
      caption={caption}
      rows={rows}
      keyOf={({ key }) => key}
      shortCount={fewRows}
      shareOf={(part) => countOf(part) / sum}
      columns={[
        {
          name: nameHeading,
          className: "w-full",
          cell: nameOf,
        },
        { name, cell: (part) => formatNumber(countOf(part)) },
        {
          name: "Share",
          className: "text-muted max-sm:sr-only",
          cell: (part) => formatShare(countOf(part) / sum),
        },
      ]}
    />
  );
}

const DIMENSIONS = ["country", "store", "device", "app", "referrer", "source", "outcome"] as const;
type Dimension = (typeof DIMENSIONS)[number];

type NamedDimension = Exclude<Dimension, "country" | "store" | "app">;

const NAMES: Record<NamedDimension, Readonly<Record<string, string>>> = {
  device: DEVICE_NAMES,
  referrer: {
    [DIRECT]: "Direct or unknown",
    [ASSISTANT_REFERRERS]: "Assistants such as ChatGPT",
    [OTHER_REFERRER]: "Other websites",
  },
  source: { [AD_SOURCE]: "Ads, for which Amazon may not pay", [OTHER_REFERRER]: "Other sources" },
  outcome: CLICK_OUTCOMES,
};

/** The name of a value. A website, and a value unknown to this release, is displayed as it is. */
function valueName(by: Exclude<Dimension, "country">, value: string): string {
  if (by === "store") return PLACES[value] ?? `amazon.${value}`;
  if (by === "app") return appName(value);
  const isApp = by === "referrer" && !value.includes(".");
  return NAMES[by][value] ?? (isApp ? appName(value) : value);
}

/** In English, like the rest of the page. */
const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });
const COUNTRY = /^[A-Z]{2}$/;

/** @param code of ISO 3166-1, or anything else for an unknown country */
const countryName = (code: string) => (COUNTRY.test(code) ? COUNTRY_NAMES.of(code) : "Unknown");
