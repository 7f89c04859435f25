import { ONELINK_STORES } from "@tapthru/proto/rules/amazon/onelink";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { Details } from "../../components/ui/details.tsx";
import { FormError } from "../../components/ui/form.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { storeName } from "../../lib/store-name.ts";
import type { StoreValues } from "./store-values.ts";

interface OneLinkProps {
  form: UseFormReturn<StoreValues>;
  /** Whether there is no tag for OneLink to pay. */
  needsTag: boolean;
  error: string | undefined;
  /** Whether the user may not change it. */
  isFixed: boolean;
}

/** A checkbox for each store that OneLink can serve. Hidden at first if it serves none. */
export function OneLink({ form, needsTag, error, isFixed }: OneLinkProps) {
  const [isOpen] = useState(() => form.getValues("oneLink").length > 0);
  return (
    <div>
      <h3 className="mb-1 font-medium">Amazon OneLink</h3>
      <p className="mb-2 max-w-2xl leading-6 text-pretty text-muted">
        With OneLink, your tag for amazon.com can earn in other stores too. Select those that you set up at Amazon. We
        can't check this.
      </p>
      {needsTag && (
        <div className="mb-3">
          <Notice icon={CircleAlert}>OneLink pays your tag for amazon.com. You have not saved one above.</Notice>
        </div>
      )}
      <Details summary="Show the stores of OneLink" openSummary="Hide the stores of OneLink" isOpen={isOpen}>
        <fieldset disabled={isFixed} className="min-w-0">
          <legend className="sr-only">Stores where OneLink pays your tag for amazon.com</legend>
          <ul className="-mx-2 grid sm:grid-cols-2 sm:gap-x-4">
            {ONELINK_STORES.map((store) => (
              <li key={store}>
                <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
                  <input
                    type="checkbox"
                    value={store}
                    className="size-5 shrink-0 accent-accent"
                    {...form.register("oneLink")}
                  />
                  <span className="min-w-0 py-1.5 wrap-anywhere">{storeName(store)}</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      </Details>
      <FormError>{error}</FormError>
    </div>
  );
}
