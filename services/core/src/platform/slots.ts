import PQueue from "p-queue";

interface Wait {
  /** How long a slot may take to become free. */
  ms: number;
  /** How many callers may wait. */
  maxWaiting: number;
  /** The error if there are more, or if no slot becomes free in time. */
  refusal(): Error;
}

/**
 * Waits for a free slot of a queue, in order of arrival.
 * @returns a function that frees the slot; call it once
 */
export async function waitForSlot(queue: PQueue, { ms, maxWaiting, refusal }: Wait): Promise<() => void> {
  if (queue.size >= maxWaiting) throw refusal();
  const slot = Promise.withResolvers<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const occupySlot = () => {
    clearTimeout(timer);
    const freed = Promise.withResolvers<void>();
    slot.resolve(freed.resolve);
    return freed.promise;
  };
  // If a slot is free, the abort signal would cost more than the queue.
  if (queue.pending < queue.concurrency) {
    void queue.add(occupySlot);
  } else {
    const waiting = new AbortController();
    timer = setTimeout(() => waiting.abort(refusal()), ms);
    queue.add(occupySlot, { signal: waiting.signal }).catch(slot.reject);
  }
  return slot.promise;
}

/** Slots by key, such as a user: each key has its own queue, which exists only while it is in use. */
export function createKeyedSlots(wait: Wait) {
  const queues = new Map<string, PQueue>();
  /**
   * Waits for one of the `count` slots of a key.
   * @returns a function that frees the slot; call it once
   */
  return (key: string, count: number): Promise<() => void> => {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = new PQueue({ concurrency: count });
      queue.on("idle", () => queues.delete(key));
      queues.set(key, queue);
    }
    return waitForSlot(queue, wait);
  };
}
