import { useQuery } from "@tanstack/react-query";
import { ASSISTANT_REFERRERS, DIRECT, OTHER_REFERRER } from "@tapthru/proto/clicks/keys";
import { lazy, Suspense, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { LOCALE } from "../../lib/locale-formats.ts";
import { APP_NAMES, DEVICE_NAMES } from "../../lib/names.ts";
import { type ClickScope, clicksOptions } from "./api.ts";
import { BreakdownTable } from "./breakdown-table.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CsvButton } from "./csv-button.tsx";

const CLICK_BREAKDOWNS = {
  country: "Country",
  store: "Store",
  device: "Device",
  app: "App",
  referrer: "Website",
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
  untagged: "Link without tag (print and mail)",
};

/** Taps of people by country, store, device, app, website or outcome of the app opening. */
export function Breakdown({ scope }: { scope: ClickScope }) {
  const [by, setBy] = useState<Dimension>("country");
  return (
    <Card title="Where taps come from">
      <div className="flex flex-col gap-5">
        <ChoiceBar
          legend="By"
          isLegendHidden
          choices={DIMENSIONS.map((each) => [each, CLICK_BREAKDOWNS[each]])}
          value={by}
          onChange={setBy}
        />
        <Rows key={by} scope={scope} by={by} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          {by === "country" && (
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <OutsideLink href="https://db-ip.com" className={textLinkClass}>
                IP geolocation by DB-IP
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
  if (rows.length === 0) return <p className="text-muted">No clicks in this period.</p>;
  const heading = CLICK_BREAKDOWNS[by];
  return (
    <BreakdownTable
      caption={`Where taps come from: ${heading}`}
      nameHeading={heading}
      rows={rows}
      renderName={(key) => (by === "country" ? <CountryName code={key} /> : valueName(by, key))}
    />
  );
}

const DIMENSIONS = ["country", "store", "device", "app", "referrer", "outcome"] as const;
type Dimension = (typeof DIMENSIONS)[number];

type NamedDimension = Exclude<Dimension, "country" | "store">;

const NAMES: Record<NamedDimension, Readonly<Record<string, string>>> = {
  device: DEVICE_NAMES,
  app: APP_NAMES,
  referrer: {
    [DIRECT]: "Direct or unknown",
    [ASSISTANT_REFERRERS]: "Assistants such as ChatGPT",
    [OTHER_REFERRER]: "Other websites",
  },
  outcome: CLICK_OUTCOMES,
};

/** The name of a value. A website, and a value unknown to this release, is displayed as it is. */
function valueName(by: Exclude<Dimension, "country">, value: string): string {
  if (by === "store") return PLACES[value] ?? `amazon.${value}`;
  return NAMES[by][value] ?? value;
}

/** All flags, in a script of their own. A country is named without its flag if that fails to load. */
const Flag = lazy(() =>
  import("./country-flag.tsx").then(
    ({ CountryFlag }) => ({ default: CountryFlag }),
    () => ({ default: NoFlag }),
  ),
);

function NoFlag(_: { code: string }) {
  return <span className="w-5 shrink-0" />;
}

/** In English, like the rest of the page. */
const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });
const COUNTRY = /^[A-Z]{2}$/;

/** @param code of ISO 3166-1, or anything else for an unknown country */
function CountryName({ code }: { code: string }) {
  const isCountry = COUNTRY.test(code);
  return (
    <span className="flex items-center gap-2.5">
      <Suspense fallback={<NoFlag code={code} />}>
        <Flag code={code} />
      </Suspense>
      {isCountry ? COUNTRY_NAMES.of(code) : "Unknown"}
    </span>
  );
}
