import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { textLinkClass } from "../../components/ui/button.tsx";
import { useSaveOneLinkStore } from "./api/save-onelink-store.ts";
import { storeName } from "./store-name.ts";

interface OneLinkCheckboxProps {
  store: OneLinkStore;
  saved: boolean;
}

/** Saves each change at once. After a failure it shows what is saved, and offers to try again. */
export function OneLinkCheckbox({ store, saved }: OneLinkCheckboxProps) {
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
        {status === "success" && messages.tagSaved}
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
