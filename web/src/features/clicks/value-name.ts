import { DIRECT, OTHER_REFERRER } from "@tapthru/proto/clicks/keys";
import { messages } from "@tapthru/proto/rules/messages";

export const DIMENSIONS = ["country", "device", "app", "referrer", "outcome"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const NAMES: Record<Exclude<Dimension, "country">, Readonly<Record<string, string>>> = {
  device: messages.devices,
  app: messages.appNames,
  referrer: { [DIRECT]: messages.noReferrer, [OTHER_REFERRER]: messages.otherReferrers },
  outcome: messages.clickOutcomes,
};

/** The name of a value. A website, and a value unknown to this release, is displayed as it is. */
export function valueName(by: Exclude<Dimension, "country">, value: string): string {
  return NAMES[by][value] ?? value;
}
