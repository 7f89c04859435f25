/** A kind of visitor and the expected response of the redirect service. */
export interface Agent {
  name: string;
  /** Share of all visits; the shares of all agents add up to 1. */
  share: number;
  /** A 302 to the destination, the app-opening page or the preview card. */
  expected: "redirect" | "page" | "card";
  userAgent: string;
}

/** @param chance from 0 (inclusive) to 1 (exclusive) */
export function chooseAgent(agents: readonly Agent[], chance: number): Agent {
  let below = 0;
  for (const agent of agents) {
    below += agent.share;
    if (chance < below) return agent;
  }
  // The sum may be slightly below 1 because of rounding.
  return agents[agents.length - 1] as Agent;
}
