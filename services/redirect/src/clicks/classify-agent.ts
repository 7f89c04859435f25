import { BROWSER, OTHER_WEB_VIEW, type UserAgent } from "@tapthru/proto/rules/agents/agent";
import { isbot } from "isbot";

export type AgentClass = "person" | "preview" | "bot";

/** Must change when the rules below, their lists or isbot's change. A metric exposes it. */
export const CLASSIFIER_VERSION = "1 (isbot 5.2.3)";

/**
 * Classifies an agent: our own crawlers first, then a known in-app browser means a person, then isbot. isbot takes some
 * people in in-app browsers for bots, such as Instagram on a Pixel phone. About 6 µs, so cache the result by agent.
 */
export function classifyAgent(userAgent: string, { device, app }: UserAgent): AgentClass {
  if (device === "preview-crawler") return "preview";
  if (device === "bot" || device === "http-library") return "bot";
  if (app !== BROWSER && app !== OTHER_WEB_VIEW) return "person";
  return isbot(userAgent) ? "bot" : "person";
}
