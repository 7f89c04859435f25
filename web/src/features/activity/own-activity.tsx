import { useInfiniteQuery } from "@tanstack/react-query";
import type { Activity } from "@tapthru/proto/activity";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Action } from "../../kit/action.tsx";
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
      detailsOf={UndoProduct}
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

/** Undoes that all links to a product got another one. */
function UndoProduct({ action, object, at, before, after }: Activity) {
  if (action !== "links.changed") return null;
  const marketplace = object.slice("amazon.".length) as Marketplace;
  const products = { from: String(after?.product), to: String(before?.product) };
  return (
    <div className="mt-2">
      <Action
        call="PATCH /api/links/bulk"
        input={{ body: { product: { marketplace, ...products, undoOf: at } } }}
        label="Undo"
        variant="quiet"
        done="The links get their addresses back."
      />
    </div>
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
