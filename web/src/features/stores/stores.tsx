import { useQueries } from "@tanstack/react-query";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useMemo } from "react";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { oneLinkStoresOptions, storeTagsOptions } from "../tags/store-tags.ts";
import { storeValues } from "./store-values.ts";
import { StoresForm } from "./stores-form.tsx";

/**
 * The user's tag in each Amazon store, and the stores that OneLink serves.
 * @param linkStores the stores of the user's links; undefined while they load
 */
export function Stores({ linkStores }: { linkStores: readonly Marketplace[] | undefined }) {
  const [tags, served] = useQueries({ queries: [storeTagsOptions, oneLinkStoresOptions] });
  const saved = useMemo(
    () => tags.data && served.data && storeValues(tags.data, served.data),
    [tags.data, served.data],
  );
  if (saved && linkStores) return <StoresForm saved={saved} linkStores={linkStores} />;
  if (tags.isFetching || served.isFetching || !linkStores) {
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
