import type { Channel } from "@tapthru/proto/channels";
import { HttpResponse, http } from "msw";

/** The default channel that each user has. */
export function mainChannel(changes: Partial<Channel> = {}): Channel {
  return {
    id: 1,
    name: "Main",
    isDefault: true,
    tags: [],
    fallbackUrl: null,
    linkCount: 0,
    ...changes,
  };
}

/** For `server.use`. */
export const serveChannels = (...channels: Channel[]) => http.get("/api/channels", () => HttpResponse.json(channels));
