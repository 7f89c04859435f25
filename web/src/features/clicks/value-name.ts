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

/** A value unknown to this release, and a website, is its own name. */
export function valueName(by: Exclude<Dimension, "country">, value: string): string {
  return NAMES[by][value] ?? value;
}
