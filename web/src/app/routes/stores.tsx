import { useQuery } from "@tanstack/react-query";
import { Page } from "../../components/ui/page.tsx";
import { linkStoresOptions } from "../../features/links/list/list-links.ts";
import { AccountRouting } from "../../features/routing/account-routing.tsx";
import { Stores } from "../../features/stores/stores.tsx";

export default function StoresPage() {
  const { data, isError } = useQuery(linkStoresOptions);
  return (
    <Page
      layout="section"
      title="Stores and tags"
      intro="A tag earns only in the store that it was issued for. Save your Associates tag of each store: it is then filled in when you add a tag to a link."
    >
      <Stores linkStores={isError ? [] : data} />
      <AccountRouting />
    </Page>
  );
}
