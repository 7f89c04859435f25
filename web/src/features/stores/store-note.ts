import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { OneLinkStore } from "@tapthru/proto/rules/amazon/onelink";
import { messages } from "@tapthru/proto/rules/messages";
import { LOCALE } from "../../lib/locale-formats.ts";
import { tagWarning } from "../tags/tag-warning.ts";

interface StoreState {
  marketplace: Marketplace;
  /** In the field. */
  text: string;
  /** Empty if there is none. */
  saved: string;
  served: readonly OneLinkStore[];
  /** The tag for amazon.com. */
  mainTag: string | undefined;
  status: "idle" | "pending" | "success" | "error";
  isChanged: boolean;
  /** Whether the saved tag was changed elsewhere since the user began to edit. */
  isOutdated: boolean;
}

/** What the note below a store's field says, unless there is an error. */
export function storeNote(state: StoreState): string | undefined {
  const { marketplace, text, saved, served, status, isChanged, isOutdated } = state;
  if (isChanged && isOutdated) {
    return saved === "" ? messages.tagRemovedElsewhere : messages.tagSavedElsewhere(saved);
  }
  const outcome = saved === "" ? messages.tagRemoved : messages.saved;
  const notes = [
    status === "success" && !isChanged ? outcome : null,
    tagWarning(text, { marketplace }, served) ?? payment(state),
  ].filter((note) => note !== null);
  return notes.length > 0 ? notes.join(" ") : undefined;
}

function payment({ marketplace, served, mainTag }: StoreState): string | null {
  const isServed = served.some((store) => store === marketplace);
  return isServed && mainTag !== undefined ? messages.oneLinkPaysHere(mainTag) : null;
}

const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });

/** Such as "amazon.de (Germany)". */
export function storeName(marketplace: Marketplace): string {
  const { country } = MARKETPLACES[marketplace];
  return messages.storeIn(`amazon.${marketplace}`, COUNTRY_NAMES.of(country) ?? country);
}
