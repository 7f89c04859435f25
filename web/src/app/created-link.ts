import { lazy } from "react";
import { NetworkError } from "../lib/http/http-client.ts";
import { loadOnce } from "../lib/load-once.ts";

const load = loadOnce(() => import("./created-link-box.tsx"));

/** Loads what shows a new link, which is not in the first script. */
export async function loadCreatedLink(): Promise<void> {
  await load().catch((cause) => {
    throw new NetworkError("Failed to load what shows the link", { cause });
  });
}

/** Render it only after loadCreatedLink has succeeded: React keeps a failure. */
export const CreatedLink = lazy(load);
