/** A namespace, not an object: so a bundler leaves out the sentences that a script never shows. */
export * as messages from "./messages/all.ts";
