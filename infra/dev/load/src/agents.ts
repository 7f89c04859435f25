/** A kind of visitor, and what the redirect answers him. */
export interface Agent {
  name: string;
  /** Of all visits; those of all agents together are 1. */
  share: number;
  /** A 302 with the link's address, the page that opens the app, or the preview card. */
  answer: "redirect" | "page" | "card";
  userAgent: string;
}

/** @param chance from 0 up to, without, 1 */
export function chooseAgent(agents: readonly Agent[], chance: number): Agent {
  let below = 0;
  for (const agent of agents) {
    below += agent.share;
    if (chance < below) return agent;
  }
  // Rounding may leave a last crumb.
  return agents[agents.length - 1] as Agent;
}
