import type { StoreTag } from "@tapthru/proto/http/stores";
import {
  ONELINK_HOME,
  ONELINK_STORES,
  type OneLinkStore,
} from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert } from "lucide-react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { useSaveOneLinkStore } from "./api.ts";
import { storeName } from "./store-note.ts";

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

interface OneLinkCheckboxProps {
  store: OneLinkStore;
  saved: boolean;
}

/** Saves each change at once. After a failure it shows what is saved, and offers to try again. */
function OneLinkCheckbox({ store, saved }: OneLinkCheckboxProps) {
  const { mutate, status, variables } = useSaveOneLinkStore(store);
  const isSaving = status === "pending";

  return (
    <li>
      <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
        <input
          type="checkbox"
          checked={isSaving ? variables : saved}
          aria-disabled={isSaving}
          onChange={({ target }) => !isSaving && mutate(target.checked)}
          className="size-5 shrink-0 accent-accent"
        />
        <span className="min-w-0 py-1.5 wrap-anywhere">{storeName(store)}</span>
      </label>
      <p
        aria-live="polite"
        className={`px-2 text-sm leading-5 empty:hidden ${status === "error" ? "pb-2 text-danger" : "sr-only"}`}
      >
        {isSaving && messages.saving}
        {status === "success" && messages.saved}
        {status === "error" && (
          <>
            {messages.failedToSaveTag}{" "}
            <button
              type="button"
              aria-label={messages.tryAgainOneLink(`amazon.${store}`)}
              onClick={() => mutate(variables)}
              className={textLinkClass}
            >
              {messages.tryAgain}
            </button>
          </>
        )}
      </p>
    </li>
  );
}
