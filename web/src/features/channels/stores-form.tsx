import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ONELINK_HOME } from "@tapthru/proto/rules/amazon/onelink";
import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { useRefusal } from "../../kit/may.tsx";
import { storeName } from "../../lib/names.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { useSaveStores } from "./save-stores.ts";
import { orderStores, type StoreValues, storeChanges, tagField, tagIn } from "./store-values.ts";
import { tagRemark } from "./tag-note.tsx";

interface StoresFormProps {
  channelId: number;
  /** The same object until something else is saved. */
  saved: StoreValues;
  /** Those that the user needs first. */
  linkStores: readonly Marketplace[];
  served: readonly Marketplace[];
}

export function StoresForm({ channelId, saved, linkStores, served }: StoresFormProps) {
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
  const warnings = changes.map(({ marketplace }) => storeRemark(marketplace, values, served).warning ?? "").join("");
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
      form.setError(tagField(change.marketplace), { message }, { shouldFocus: index === 0 });
    }
  }

  return (
    <Form pending={isPending} onSubmit={form.handleSubmit(save)} className="flex flex-col gap-5">
      <ul ref={list} className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        {[...used, ...(showsOthers ? others : [])].map((store) => (
          <li key={store}>
            <Field
              label={storeName(store)}
              {...storeRemark(store, values, served)}
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
function storeRemark(marketplace: Marketplace, values: StoreValues, served: readonly Marketplace[]) {
  const remark = tagRemark(tagIn(values, marketplace), marketplace, served);
  if (remark.hint ?? remark.warning) return remark;
  const mainTag = tagIn(values, ONELINK_HOME);
  const isPaid = served.includes(marketplace) && mainTag !== "";
  return isPaid ? { hint: `Amazon OneLink pays your tag ${mainTag} here.` } : {};
}

/** Shows what another tab saved, except where the user changed it. */
function useSavedElsewhere(form: UseFormReturn<StoreValues>, saved: StoreValues): void {
  const shown = useRef(saved);
  useEffect(() => {
    const changes = storeChanges(form.getValues(), shown.current);
    const typed = new Map<string, string>(changes.map(({ marketplace, tag }) => [tagField(marketplace), tag]));
    for (const [country, tag] of Object.entries(saved.tags)) {
      const field = `tags.${country}` as const;
      form.setValue(field, typed.get(field) ?? tag);
    }
    shown.current = saved;
  }, [form, saved]);
}
