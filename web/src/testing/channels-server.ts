import type { Channel } from "@tapthru/proto/http/channels";

/** The default channel that each user has. */
export function mainChannel(changes: Partial<Channel> = {}): Channel {
  return { id: 1, name: "Main", isDefault: true, tags: [], linkCount: 0, ...changes };
}
