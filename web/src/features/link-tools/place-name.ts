import { messages } from "@tapthru/proto/rules/messages";
import type { OpeningPlace } from "./openings.ts";

/** The app's name, and of which versions of it the place speaks; its id where a table brought a new one. */
export function placeName({
  app,
  strategy: { from, below },
  isUnidentified,
}: OpeningPlace): string {
  const name = messages.appNames[app] ?? app;
  if (isUnidentified) return name;
  if (from !== undefined && below !== undefined) {
    return messages.appBetweenVersions(name, from, below);
  }
  if (from !== undefined) return messages.appFromVersion(name, from);
  return below === undefined ? name : messages.appBelowVersion(name, below);
}
