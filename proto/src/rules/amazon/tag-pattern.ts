import { TAG_MAX_LENGTH } from "../limits.ts";

/** Accepts every known tag. `tagHealth` checks the usual form. */
export const TAG_PATTERN: RegExp = new RegExp(`^[A-Za-z0-9][\\w-]{0,${TAG_MAX_LENGTH - 1}}$`);
