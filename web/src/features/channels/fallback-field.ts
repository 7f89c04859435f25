import { fallbackUrl } from "@tapthru/proto/fields";
import * as z from "zod/mini";

/** The text of a field for a fallback, which may be empty. */
export const fallbackText = z.string().check((context) => {
  const input = context.value;
  const message = input.trim() && fallbackUrl.safeParse(input).error?.issues[0]?.message;
  if (message) context.issues.push({ code: "custom", input, message });
});

export const fallbackOf = (text: string): string | null => text.trim() || null;
