type Send = () => Promise<unknown>;

const unsent = new Set<Send>();

/**
 * Registers a change of the user that is sent later, and before a logout.
 * @returns a function that removes it, and returns false if it must not be sent any more, because the user is another one
 */
export function addUnsentChange(send: Send): () => boolean {
  unsent.add(send);
  return () => unsent.delete(send);
}

/** Sends all changes and waits for the responses. Their failures are reported by whoever registered them. */
export async function sendUnsentChanges(): Promise<void> {
  await Promise.allSettled([...unsent].map((send) => send()));
}

/** The user who made the changes is signed out. */
export function dropUnsentChanges(): void {
  unsent.clear();
}
