import type { StoreTag } from "@tapthru/proto/http/stores";
import { isMarketplace, MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, type OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { Card } from "../../components/ui/card.tsx";
import { StoreTagForm } from "./store-tag-form.tsx";

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);

interface StoreTagsProps {
  tags: readonly StoreTag[];
  served: readonly OneLinkStore[];
}

/** A form for each store. */
export function StoreTags({ tags, served }: StoreTagsProps) {
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
