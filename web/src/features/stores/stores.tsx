import { useQueries } from "@tanstack/react-query";
import type { StoreTag } from "@tapthru/proto/http/stores";
import { isMarketplace, MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { oneLinkStoresOptions, storeTagsOptions } from "../tags/store-tags.ts";
import { OneLink } from "./onelink.tsx";
import { StoreTagForm } from "./store-tag-form.tsx";

/** The user's tag in each Amazon store, and the stores that OneLink serves. Each change is saved by itself. */
export function Stores() {
  const [tags, served] = useQueries({ queries: [storeTagsOptions, oneLinkStoresOptions] });
  if (tags.data && served.data) {
    return (
      <div className="flex flex-col gap-5">
        <StoreTags tags={tags.data} served={served.data} />
        <OneLink tags={tags.data} served={served.data} />
      </div>
    );
  }
  if (tags.isFetching || served.isFetching) {
    return (
      <div data-loading className="grid min-h-screen animate-appear-late justify-center pt-20">
        <Spinner label={messages.loading} />
      </div>
    );
  }
  return (
    <LoadingFailed
      message={messages.errorLoadingStores}
      action={messages.tryAgain}
      onAction={() => {
        tags.refetch();
        served.refetch();
      }}
    />
  );
}

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

interface StoreTagsProps {
  tags: readonly StoreTag[];
  served: readonly OneLinkStore[];
}

/** A form for each store. */
function StoreTags({ tags, served }: StoreTagsProps) {
  const tagOf = (store: string) => tags.find(({ marketplace }) => marketplace === store)?.tag;
  return (
    <Card title={messages.yourTags}>
      <ul className="grid gap-5">
        {STORES.map((marketplace) => (
          <li key={marketplace}>
            <StoreTagForm
              marketplace={marketplace}
              saved={tagOf(marketplace) ?? ""}
              served={served}
              mainTag={tagOf(ONELINK_HOME)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
