import { useQuery } from "@tanstack/react-query";
import { VIOLATIONS } from "@tapthru/proto/rules/amazon/violations";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";

export function ComplianceReport() {
  const query = useQuery({ ...queryOf("GET /api/compliance-report", { query: {} }), refetchOnWindowFocus: false });
  return (
    <Card title="Compliance report for Amazon">
      <p className="mb-4 leading-6 text-pretty text-muted">
        When Amazon asks where your traffic comes from: your domains and channels with their taps, links without a tag,
        and changes of tags. It names no visitors. First look at what breaks Amazon's rules today.
      </p>
      <Loaded data={query.data} query={query} failed="Your links could not be checked.">
        {({ linkCount, violationCount, violations }) => (
          <>
            <p role="status" className="font-medium">
              {violationCount === 0
                ? `Nothing found in ${formatCount(linkCount, "link")}.`
                : `${formatCount(violationCount, "violation")} in ${formatCount(linkCount, "link")}, worst first:`}
            </p>
            <ul className="mt-2 flex max-h-120 flex-col divide-y divide-line overflow-y-auto">
              {violations.map(({ kind, object, shortCode }) => (
                <li key={`${kind} ${object} ${shortCode}`} className="py-3 leading-6 wrap-anywhere">
                  <p className="font-medium">{VIOLATIONS[kind][0]}</p>
                  <p>
                    {shortCode !== null && (
                      <PageLink to={paths.link(shortCode)} className={`${textLinkClass} mr-2`}>
                        {shortCode}
                      </PageLink>
                    )}
                    <bdi>{object}</bdi>
                  </p>
                  <p className="text-sm text-muted">{VIOLATIONS[kind][1]}</p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <div className="mt-5 flex flex-wrap gap-3">
        <DownloadButton
          label="Download the report"
          file={() => ({ path: "/api/compliance-report", name: "compliance-report", type: "html" })}
        />
        <DownloadButton file={() => ({ path: "/api/compliance-report", name: "compliance-report" })} />
      </div>
    </Card>
  );
}
