import * as z from "zod/mini";

/** The text of a field that may be empty, else is as `schema` says. */
export function optionalText(schema: z.ZodMiniType) {
  return z.string().check((context) => {
    const input = context.value;
    const message = input.trim() && schema.safeParse(input).error?.issues[0]?.message;
    if (message) context.issues.push({ code: "custom", input, message });
  });
}

export const textOrNull = (text: string): string | null => text.trim() || null;
