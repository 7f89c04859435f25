import type { StoreTag } from "@tapthru/proto/http/stores";
import {
  ONELINK_HOME,
  ONELINK_STORES,
  type OneLinkStore,
} from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert } from "lucide-react";
import { Card } from "../../components/ui/card.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { OneLinkCheckbox } from "./onelink-checkbox.tsx";

interface OneLinkProps {
  tags: readonly StoreTag[];
  served: readonly OneLinkStore[];
}

/** A checkbox for each store that OneLink can serve. */
export function OneLink({ tags, served }: OneLinkProps) {
  const hasMainTag = tags.some(({ marketplace }) => marketplace === ONELINK_HOME);
  return (
    <Card title={messages.oneLink}>
      <p className="mb-4 max-w-2xl leading-6 text-pretty text-muted">{messages.oneLinkText}</p>
      {served.length > 0 && !hasMainTag && (
        <div className="mb-4 wrap-anywhere">
          <Notice icon={CircleAlert}>{messages.oneLinkNeedsTag}</Notice>
        </div>
      )}
      <fieldset className="min-w-0">
        <legend className="sr-only">{messages.oneLinkStores}</legend>
        <ul className="-mx-2 grid sm:grid-cols-2 sm:gap-x-4">
          {ONELINK_STORES.map((store) => (
            <OneLinkCheckbox key={store} store={store} saved={served.includes(store)} />
          ))}
        </ul>
      </fieldset>
    </Card>
  );
}
