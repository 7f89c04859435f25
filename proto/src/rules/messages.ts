/** A namespace, not an object: bundlers can drop the messages that a script does not use. */
export * as messages from "./messages/all.ts";
