import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router-dom";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Page } from "../../components/ui/page.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { Clicks } from "../clicks/index.ts";

/** The page of clicks for who has the secret link, whose token is after `#`. */
export function SharedClicks() {
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    queryKey: ["/api/shared-pages/read", token],
    queryFn: ({ signal }) => callApi("POST /api/shared-pages/read", { body: { token }, signal }),
    ...SETTINGS_QUERY,
  });
  const { data } = query;
  if (httpErrorOf(query.error)?.status === 404) {
    return (
      <Page title="This link does not work">
        <p>It has ended, was revoked, or is incomplete. Please ask the person who sent it to you.</p>
      </Page>
    );
  }
  return (
    <Page
      title={data?.name ?? "Shared clicks"}
      intro={data && `Clicks of ${data.shortUrl ?? formatCount(data.linkCount, "link", "links")}`}
    >
      <Loaded data={data} query={query} failed="The clicks could not be loaded.">
        {() => <Clicks shortCode={null} token={token} />}
      </Loaded>
    </Page>
  );
}
