import { useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { linkStoresOptions } from "../../features/links/list/list-links.ts";
import { AccountRouting } from "../../features/routing/account-routing.tsx";
import { Stores } from "../../features/stores/stores.tsx";

export default function StoresPage() {
  const { data, isError } = useQuery(linkStoresOptions);
  return (
    <Page layout="section" title={messages.stores} intro={messages.storesIntro}>
      <Stores linkStores={isError ? [] : data} />
      <AccountRouting />
    </Page>
  );
}
