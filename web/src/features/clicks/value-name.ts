import { DIRECT, ORIGINAL_STORE, OTHER_REFERRER } from "@tapthru/proto/clicks/keys";
import { messages } from "@tapthru/proto/rules/messages";

export const DIMENSIONS = ["country", "store", "device", "app", "referrer", "outcome"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

type NamedDimension = Exclude<Dimension, "country" | "store">;

const NAMES: Record<NamedDimension, Readonly<Record<string, string>>> = {
  device: messages.devices,
  app: messages.appNames,
  referrer: { [DIRECT]: messages.noReferrer, [OTHER_REFERRER]: messages.otherReferrers },
  outcome: messages.clickOutcomes,
};

/** The name of a value. A website, and a value unknown to this release, is displayed as it is. */
export function valueName(by: Exclude<Dimension, "country">, value: string): string {
  if (by === "store") return value === ORIGINAL_STORE ? messages.originalStore : `amazon.${value}`;
  return NAMES[by][value] ?? value;
}
