import type { Lookalike } from "./assign-lookalike-keys.ts";

const LISTED_MAX = 50;

/** Lines for an operator; without the names, as logs outlive accounts. Empty if there is nothing to report. */
export function lookalikeReport(lookalikes: readonly Lookalike[]): string[] {
  if (lookalikes.length === 0) return [];
  const listed = lookalikes
    .slice(0, LISTED_MAX)
    .map(({ userId, keyHolderId }) => `  user ${userId} looks like user ${keyHolderId}`);
  const unlisted = lookalikes.length - listed.length;
  return [
    `User names that look like another user's: ${lookalikes.length}. Both users keep their names.`,
    ...listed,
    ...(unlisted > 0 ? [`  and ${unlisted} more`] : []),
    "To read the names: SELECT id, username FROM users WHERE username_lookalike_key IS NULL",
  ];
}
