import { useQuery } from "@tanstack/react-query";
import { APP_OPENING_MIN_REPORTS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { useRef } from "react";
import { PageLink } from "../../components/ui/links.tsx";
import { formatShare } from "../../lib/locale-formats.ts";
import { APP_NAMES, DEVICE_NAMES } from "../../lib/names.ts";
import { useWasInView } from "../../lib/use-was-in-view.ts";
import { appOpeningStatusQuery } from "../app-opening-status/index.ts";

const SHOWN_APPS = 3;

/** How often the app opened in the apps with the most reports, or a sentence as long as none has enough of them. */
export function OpenRates() {
  const ref = useRef<HTMLDivElement>(null);
  const { data } = useQuery({ ...appOpeningStatusQuery, enabled: useWasInView(ref, 0) });
  const rows = data?.rows.slice(0, SHOWN_APPS) ?? [];

  return (
    <div ref={ref} className="rounded-2xl bg-notice px-5 py-4 text-notice-ink">
      <h3 className="font-semibold">
        <PageLink to={paths.appOpeningStatus} className="underline underline-offset-4">
          How often the Amazon app opens
        </PageLink>
      </h3>
      {/* As tall with rates as without. */}
      <div className="mt-1 grid min-h-18 content-center sm:min-h-13">
        {rows.length > 0 ? (
          <dl className="grid auto-cols-fr grid-flow-col gap-4">
            {rows.map(({ row, app, os, tried, opened }) => (
              <div key={`${row} ${app} ${os}`} className="flex flex-col-reverse justify-end">
                <dt className="text-sm leading-5">{`${APP_NAMES[app] ?? app} on ${DEVICE_NAMES[os]}`}</dt>
                <dd className="text-xl font-semibold tabular-nums">{formatShare(opened / tried)}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="text-sm leading-5 text-pretty">{`Pages report whether the app opened. Rates of apps with at least ${APP_OPENING_MIN_REPORTS} taps are public.`}</p>
        )}
      </div>
    </div>
  );
}
