import { keyName } from "@tapthru/proto/fields";
import type { createKey } from "@tapthru/proto/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { endOfDay } from "../../lib/dates.ts";

export const KEY_SCOPE_NAMES = {
  "links:read": "See links",
  "links:write": "Create and change links",
  "clicks:read": "See clicks",
  "earnings:read": "See earnings",
  "earnings:write": "Import earnings",
  operator: "Operate this site",
};

const KEY_SCOPE_TEXTS = {
  "links:read": "Lists your links, labels, tags and imports.",
  "links:write": "Creates, edits, labels, imports and deletes links, and changes your tags.",
  "clicks:read": "Reads how often your links were opened, where and with what.",
  "earnings:read": "Reads what your links earned.",
  "earnings:write": "Imports and removes reports of earnings.",
  operator: "Does what operators can do: reports, users, limits and settings.",
};

const KEY_EXPIRY_NAMES = { never: "No expiry", day: "On a date" };

const KEY_EXPIRY_TEXTS = {
  never: "The key works until you revoke it.",
  day: "The key stops working at the end of a day.",
};

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
      error: "Please enter a day, month and year",
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
    name: KEY_SCOPE_NAMES[value],
    text: KEY_SCOPE_TEXTS[value],
  }));
}

export const EXPIRY_CHOICES = EXPIRIES.map((value) => ({
  value,
  name: KEY_EXPIRY_NAMES[value],
  text: KEY_EXPIRY_TEXTS[value],
}));
