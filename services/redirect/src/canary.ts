import type { Canary } from "@tapthru/proto/rules/app-opening/app-opening";
import { hashText } from "./hashes.ts";

const SEEDS = { first: 0x51ed270b, second: 0x7f4a7c15 };

/** Whether the visitor at an address is one of the canary's percentage. Another row has other visitors. */
export function isInCanary(address: string, { id, percent }: Pick<Canary, "id" | "percent">) {
  const { first } = hashText(address, hashText(id, SEEDS));
  return (first >>> 0) % 100 < percent;
}
