import * as z from "zod/mini";
import { SHORT_CODE_PATTERN } from "../../redirect/short-code.ts";
import { messages } from "../../rules/messages.ts";
import { numberText } from "../fields.ts";

export const operatorShortCode = z
  .string()
  .check(z.regex(SHORT_CODE_PATTERN, messages.linkNotFound));

export const userId = numberText(/^[1-9]\d{0,8}$/, messages.notFound);

export const UserName = z.object({ id: z.int(), username: z.string() });
export type UserName = z.infer<typeof UserName>;

/** Text to search for. */
export const search = z.string().check(z.trim(), z.maxLength(200));
