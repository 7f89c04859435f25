import { StoreTag } from "@tapthru/proto/fields";
import * as z from "zod/mini";
import { readText, TAGS_KEY, writeText } from "../../../lib/stored-texts.ts";

export function parseStoredTags(stored: string | null): StoreTag[] {
  try {
    return z.safeParse(z.array(StoreTag), JSON.parse(stored ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}

export function storeTag(added: StoreTag): void {
  const others = parseStoredTags(readText(TAGS_KEY)).filter(({ marketplace }) => marketplace !== added.marketplace);
  writeText(TAGS_KEY, JSON.stringify([...others, added]));
}
