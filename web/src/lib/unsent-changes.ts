type Send = () => Promise<unknown>;

const unsent = new Set<Send>();

/** Registers a change that is sent later, and before a logout. Returns a function that removes it. */
export function addUnsentChange(send: Send): () => void {
  unsent.add(send);
  return () => {
    unsent.delete(send);
  };
}

/** Sends all changes and waits for the responses. Their failures are reported by whoever registered them. */
export async function sendUnsentChanges(): Promise<void> {
  await Promise.allSettled([...unsent].map((send) => send()));
}
