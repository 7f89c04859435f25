import { finishesWithin } from "../../lib/finishes-within.ts";

const CHANNEL_NAME = "account deletion";

/** A tab that deletes the account gets its reply at about the time at which this tab's request is refused. */
const OTHER_TAB_WAIT_MS = 1_000;

/** Connects this tab with the other tabs of this browser while it deletes the account. */
export function openDeletionChannel() {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  const deletion = new Promise((resolve) => {
    channel.onmessage = resolve;
  });

  return {
    /** Informs the other tabs that the account was deleted. */
    announce: () => channel.postMessage(null),
    /** Whether another tab has deleted the account since this one opened the channel. */
    isDeletedByOtherTab: () => finishesWithin(OTHER_TAB_WAIT_MS, deletion),
    close: () => channel.close(),
  };
}
