import * as z from "zod/mini";
import { numberText } from "../fields.ts";
import { notFound } from "../general-errors.ts";

export const addressHash = z.string().check(z.regex(/^[0-9a-f]{32}$/));

export const userId = numberText(/^[1-9]\d{0,8}$/, notFound.message);

export const UserName = z.object({ id: z.int(), username: z.string() });
export type UserName = z.infer<typeof UserName>;

export const search = z.string().check(z.trim(), z.maxLength(200));
