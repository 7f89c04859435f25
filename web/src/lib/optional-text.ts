import { EXPIRY_END, expiry, startTime } from "@tapthru/proto/fields";
import * as z from "zod/mini";
import { endOfDay, instantOf } from "./dates.ts";

/** The text of a field that may be empty, else is as `schema` says. */
export function optionalText(schema: z.ZodMiniType) {
  return z.string().check((context) => {
    const input = context.value;
    const message = input.trim() && schema.safeParse(input).error?.issues[0]?.message;
    if (message) context.issues.push({ code: "custom", input, message });
  });
}

export const textOrNull = (text: string): string | null => text.trim() || null;

/** A text without an instant has a year of five digits or more: fields of dates give no others. */
const optionalTime = (instantOfText: (text: string) => string, schema: z.ZodMiniType<unknown, string>) =>
  optionalText(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => instantOfText(text) || new Date(EXPIRY_END).toISOString()),
      ),
      schema,
    ),
  );

/** The last day of something that may end, such as 2026-11-21, in the browser's time zone; empty: never. */
export const lastDay = optionalTime(endOfDay, expiry);

/** The minute in which something may start, in the browser's time zone; empty: at once. */
export const firstMinute = optionalTime(instantOf, startTime);
