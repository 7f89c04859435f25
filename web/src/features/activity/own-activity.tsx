import { useInfiniteQuery } from "@tanstack/react-query";
import type { Activity } from "@tapthru/proto/activity";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { pagesOf } from "../../lib/http/query-presets.ts";
import { ActivityList } from "./activity-list.tsx";
import { actorText } from "./describe.ts";

export function OwnActivity() {
  return (
    <ActivityList
      list={useInfiniteQuery(pagesOf("GET /api/activity", {}))}
      empty="No changes are recorded."
      objectOf={ownObject}
      actorOf={actorText}
    />
  );
}

function ownObject({ action, object }: Activity) {
  const isLink = action.startsWith("link.") && action !== "link.deleted";
  if (!isLink) return <bdi className="min-w-0 empty:hidden">{object}</bdi>;
  return (
    <PageLink to={paths.link(object)} className={textLinkClass}>
      {object}
    </PageLink>
  );
}

export function LinkActivity({ shortCode }: { shortCode: string }) {
  return (
    <Card title="Activity">
      <ActivityList
        list={useInfiniteQuery(pagesOf("GET /api/activity", { link: shortCode }))}
        empty="No changes are recorded."
        objectOf={() => null}
        actorOf={actorText}
      />
    </Card>
  );
}

export const OwnActivityCsvButton = () => <DownloadButton file={() => ({ path: "/api/activity", name: "activity" })} />;
