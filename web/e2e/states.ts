/** The states of pages beside the one that a path leads to, each with the steps to it. */
export type States<Start> = Record<string, (start: Start) => Promise<unknown>>;
