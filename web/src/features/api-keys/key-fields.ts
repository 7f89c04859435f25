import { keyName } from "@tapthru/proto/http/fields";
import type { createKey } from "@tapthru/proto/http/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { endOfDay } from "../../lib/dates.ts";

const EXPIRIES = ["never", "day"] as const;

/** `day` is empty until the date is complete. It is then not the same as no expiry, which the user chooses. */
const expiryParts = z.object({ expiry: z.enum(EXPIRIES), day: z.string() });

/** Checked together with the other fields, not only once these are valid. */
const when = ({ value }: { value: unknown }) => z.safeParse(expiryParts, value).success;

export const KeyFields = z
  .extend(expiryParts, {
    name: keyName,
    scopes: z.array(z.enum(API_KEY_SCOPES)).check(z.minLength(1, messages.scopeRequired)),
  })
  .check(
    z.refine(({ expiry, day }) => expiry === "never" || endOfDay(day) !== "", {
      path: ["day"],
      error: messages.enterWholeDate,
      abort: true,
      when,
    }),
    z.refine(({ expiry, day }) => expiry === "never" || Date.parse(endOfDay(day)) > Date.now(), {
      path: ["day"],
      error: messages.expiryInPast,
      when,
    }),
  );
export type KeyFields = z.infer<typeof KeyFields>;

export const NO_FIELDS: KeyFields = { name: "", scopes: [], expiry: "never", day: "" };

export function newKeyOf({ name, scopes, expiry, day }: KeyFields): z.input<typeof createKey.body> {
  return { name, scopes, expiresAt: expiry === "never" ? null : endOfDay(day) };
}

export function scopeChoices(isOperator: boolean) {
  return API_KEY_SCOPES.filter((value) => isOperator || value !== "operator").map((value) => ({
    value,
    name: messages.keyScopeNames[value],
    text: messages.keyScopeTexts[value],
  }));
}

export const EXPIRY_CHOICES = EXPIRIES.map((value) => ({
  value,
  name: messages.keyExpiryNames[value],
  text: messages.keyExpiryTexts[value],
}));
