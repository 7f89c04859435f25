import { messages } from "@tapthru/proto/rules/messages";
import type { OpeningPlace } from "./openings.ts";

/** The app's name, with its range of versions if any. An app unknown to this release is named by its id. */
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
