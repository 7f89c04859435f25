import * as z from "zod/mini";
import { TAG_PATTERN } from "../rules/amazon/add-tag.ts";
import { OPENING_WAYS } from "../rules/experiments.ts";

/** The query parameter of a visit that has left an in-app browser: its arm, so that it stays in it. Never passed on. */
export const ARM_PARAMETER = "tt_arm";

const Arm = z.object({ tag: z.string().check(z.regex(TAG_PATTERN)), way: z.enum(OPENING_WAYS) });

/** What the redirect record of a link that follows its channel's tag holds of an experiment. */
export const LinkExperiment = z.object({
  id: z.int(),
  os: z.enum(["ios", "android"]),
  arms: z.object({ a: Arm, b: Arm }),
  /** The arm whose way of opening all visitors get, with the channel's tag and without end; null: none. */
  adopted: z.nullable(z.enum(["a", "b"])),
  /** Unix milliseconds, not included. */
  to: z.int(),
});
export type LinkExperiment = z.infer<typeof LinkExperiment>;
