import { useQueries } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { LoadingFailed } from "../../components/ui/loading-failed.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { oneLinkStoresOptions, storeTagsOptions } from "../../lib/store-tags.ts";
import { OneLink } from "./onelink.tsx";
import { StoreTags } from "./store-tags.tsx";

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
