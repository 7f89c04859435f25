import { useQuery } from "@tanstack/react-query";
import { BREACHES } from "@tapthru/proto/rules/amazon/breaches";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";

export function AmazonAnswer() {
  const query = useQuery({ ...queryOf("GET /api/amazon-answer", { query: {} }), refetchOnWindowFocus: false });
  return (
    <Card title="The answer for Amazon">
      <p className="mb-4 leading-6 text-pretty text-muted">
        When Amazon asks where your traffic comes from: what each kind of visitor gets from your links right now, your
        domains and channels, links without a tag, and changes of tags. No visitor is in it. Look first at what breaks
        Amazon's rules today.
      </p>
      <Loaded data={query.data} query={query} failed="Your links could not be checked.">
        {({ linkCount, breaches }) => (
          <>
            <p role="status" className="font-medium">
              {breaches.length === 0
                ? `Nothing found in ${formatCount(linkCount, "link")}.`
                : `${formatCount(breaches.length, "breach", "breaches")} in ${formatCount(linkCount, "link")}, worst first:`}
            </p>
            <ul className="mt-2 flex max-h-120 flex-col divide-y divide-line overflow-y-auto">
              {breaches.map(({ kind, object, shortCode }) => (
                <li key={`${kind} ${object} ${shortCode}`} className="py-3 leading-6 wrap-anywhere">
                  <p className="font-medium">{BREACHES[kind][0]}</p>
                  <p>
                    {shortCode !== null && (
                      <PageLink to={paths.link(shortCode)} className={`${textLinkClass} mr-2`}>
                        {shortCode}
                      </PageLink>
                    )}
                    <bdi>{object}</bdi>
                  </p>
                  <p className="text-sm text-muted">{BREACHES[kind][1]}</p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <div className="mt-5 flex flex-wrap gap-3">
        <DownloadButton
          label="Download the answer"
          file={() => ({ path: "/api/amazon-answer", name: "amazon-answer", type: "html" })}
        />
        <DownloadButton file={() => ({ path: "/api/amazon-answer", name: "amazon-answer" })} />
      </div>
    </Card>
  );
}
