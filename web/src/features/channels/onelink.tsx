import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_STORES } from "@tapthru/proto/rules/amazon/onelink";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { Card } from "../../components/ui/card.tsx";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { useRefusal } from "../../kit/may.tsx";
import { useCall } from "../../kit/use-call.ts";
import { storeName } from "../../lib/names.ts";
import { oneLinkStoresOptions } from "./api.ts";

/** Saves each change at once. @param needsTag whether there is no tag for OneLink to pay */
export function OneLinkStores({ served, needsTag }: { served: readonly Marketplace[]; needsTag: boolean }) {
  const refusal = useRefusal("PUT /api/onelink-stores", "change this");
  const { call } = useCall("PUT /api/onelink-stores", {
    failed: "Not saved. Please try again.",
    isQueued: true,
    async ahead(queryClient, { body: { marketplace, served: isServed } }) {
      const { queryKey } = oneLinkStoresOptions;
      const show = (isShown: boolean) =>
        queryClient.setQueryData(queryKey, (stores = []) => [
          ...stores.filter((store) => store !== marketplace),
          ...(isShown ? [marketplace] : []),
        ]);
      await queryClient.cancelQueries({ queryKey });
      show(isServed);
      return () => show(!isServed);
    },
  });
  const [wasServed] = useState(served.length > 0);
  return (
    <Card title="Amazon OneLink">
      <p className="mb-2 max-w-2xl leading-6 text-pretty text-muted">
        With OneLink, your tag for amazon.com can earn in other stores too. Select those that you set up at Amazon. We
        can't check this.
      </p>
      {needsTag && (
        <Notice icon={CircleAlert}>OneLink pays your tag for amazon.com. You have not saved one above.</Notice>
      )}
      <Details summary="Show the stores of OneLink" openSummary="Hide the stores of OneLink" isOpen={wasServed}>
        <fieldset disabled={refusal !== null} className="grid min-w-0 sm:grid-cols-2">
          <legend className="sr-only">Stores where OneLink pays your tag for amazon.com</legend>
          {ONELINK_STORES.map((store) => (
            <Checkbox
              key={store}
              name={storeName(store)}
              checked={served.includes(store)}
              onChange={(isServed) => call({ body: { marketplace: store, served: isServed } })}
            />
          ))}
        </fieldset>
      </Details>
    </Card>
  );
}
