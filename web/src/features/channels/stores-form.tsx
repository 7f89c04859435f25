import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME, ONELINK_STORES } from "@tapthru/proto/rules/amazon/onelink";
import { CircleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "../../components/ui/button.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, FormError } from "../../components/ui/form.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { useRefusal } from "../../kit/may.tsx";
import { storeName } from "../../lib/names.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { useSaveStores } from "./save-stores.ts";
import { orderStores, type StoreValues, storeChanges, tagField, tagIn, withChanges } from "./store-values.ts";
import { tagRemark } from "./tag-note.tsx";

interface StoresFormProps {
  channelId: number;
  /** The same object until something else is saved. */
  saved: StoreValues;
  /** Those that the user needs first. */
  linkStores: readonly Marketplace[];
}

/** A field for a channel's tag in each store, first in those that the user needs, and the stores of OneLink. */
export function StoresForm({ channelId, saved, linkStores }: StoresFormProps) {
  const refusal = useRefusal("PUT /api/channels/:id/tags", "change tags");
  const form = useForm<StoreValues>({ defaultValues: saved });
  const { mutateAsync, data: failures, isIdle, isPending, isSuccess } = useSaveStores(channelId);
  // Saved tags do not change the order.
  const [{ used, others }] = useState(() => orderStores(saved, linkStores));
  const [showsOthers, setShowsOthers] = useState(false);
  /** The warnings that were shown when the button was pressed. */
  const [accepted, setAccepted] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const values = form.watch();
  const changes = storeChanges(values, saved);
  const isChanged = changes.length > 0;
  const warnings = changes
    .map((change) => ("tag" in change && storeRemark(change.marketplace, values).warning) || "")
    .join("");
  const isAccepted = warnings === "" || warnings === accepted;
  const { errors } = form.formState;
  useSavedElsewhere(form, saved);
  useUnsavedText(isChanged);

  useEffect(() => {
    // The button that had the focus is gone.
    if (showsOthers) list.current?.children[used.length]?.querySelector("input")?.focus();
  }, [showsOthers, used]);

  useEffect(() => {
    // The error below the field may be below the window.
    if (failures?.length) document.activeElement?.closest("li")?.scrollIntoView({ block: "nearest" });
  }, [failures]);

  async function save(submitted: StoreValues) {
    if (!isAccepted) return setAccepted(warnings);
    const failed = await mutateAsync(storeChanges(submitted, saved));
    for (const [index, { change, message }] of failed.entries()) {
      const name = "tag" in change ? tagField(change.marketplace) : "oneLink";
      form.setError(name, { message }, { shouldFocus: index === 0 });
    }
  }

  return (
    <Form pending={isPending} onSubmit={form.handleSubmit(save)} className="flex flex-col gap-5">
      <ul ref={list} className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        {[...used, ...(showsOthers ? others : [])].map((store) => (
          <li key={store}>
            <Field
              label={storeName(store)}
              {...storeRemark(store, values)}
              error={errors.tags?.[MARKETPLACES[store].country]?.message}
              placeholder={`For example mystore${MARKETPLACES[store].tagSuffix ?? "-20"}`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              disabled={refusal !== null}
              {...form.register(tagField(store))}
            />
          </li>
        ))}
      </ul>
      {!showsOthers && (
        <div>
          <Button variant="outline" onClick={() => setShowsOthers(true)}>
            More stores
          </Button>
        </div>
      )}
      <OneLinkStores
        form={form}
        needsTag={values.oneLink.length > 0 && tagIn(values, ONELINK_HOME) === ""}
        error={errors.oneLink?.message}
        isFixed={refusal !== null}
      />
      <div
        className={`-mx-5 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-2xl border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:-mb-6 sm:px-6 ${isChanged || !isIdle ? "save-bar" : ""}`}
      >
        {refusal ?? (
          <Button type="submit" aria-disabled={isPending} aria-busy={isPending}>
            {isPending ? "Saving..." : warnings !== "" && isAccepted ? "Save anyway" : "Save"}
          </Button>
        )}
        <p aria-live="polite" className="text-sm text-muted">
          {!isPending && isChanged && "You have unsaved changes."}
          {!isPending && !isChanged && isSuccess && "Saved."}
        </p>
      </div>
    </Form>
  );
}

/** What the note below a store's field says, unless there is an error. */
function storeRemark(marketplace: Marketplace, values: StoreValues): ReturnType<typeof tagRemark> {
  const remark = tagRemark(tagIn(values, marketplace), marketplace, values.oneLink);
  if (remark.hint ?? remark.warning) return remark;
  const mainTag = tagIn(values, ONELINK_HOME);
  const isServed = values.oneLink.some((store) => store === marketplace);
  return isServed && mainTag !== "" ? { hint: `Amazon OneLink pays your tag ${mainTag} here.` } : {};
}

/** Shows what another tab saved, except where the user changed it. */
function useSavedElsewhere(form: UseFormReturn<StoreValues>, saved: StoreValues): void {
  const shown = useRef(saved);
  useEffect(() => {
    const { tags, oneLink } = withChanges(saved, storeChanges(form.getValues(), shown.current));
    for (const [country, tag] of Object.entries(tags)) form.setValue(`tags.${country}`, tag);
    form.setValue("oneLink", oneLink);
    shown.current = saved;
  }, [form, saved]);
}

interface OneLinkStoresProps {
  form: UseFormReturn<StoreValues>;
  /** Whether there is no tag for OneLink to pay. */
  needsTag: boolean;
  error: string | undefined;
  /** Whether the user may not change it. */
  isFixed: boolean;
}

/** A checkbox for each store that OneLink can serve. Hidden at first if it serves none. */
function OneLinkStores({ form, needsTag, error, isFixed }: OneLinkStoresProps) {
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
