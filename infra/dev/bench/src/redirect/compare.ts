import { type Figures, type Visits, visit } from "./visits.ts";

const ROUNDS = 3;
const SECONDS = 4;

/** What came of visiting a server and its peer by turns. */
export interface Comparison {
  /** Of the round with the median rate. */
  figures: Figures;
  /** The server's rate by its peer's, a number a round, the smallest first; none without a peer. */
  ratios: number[];
}

/** Visits the peer and the server by turns, so that whatever else the machine does troubles both. */
export async function compare(
  origin: string,
  peer: string | null,
  visits: Visits,
): Promise<Comparison> {
  const rounds: { figures: Figures; ratio: number | null }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beside =
      peer === null ? null : await visit(peer, { ...visits, agent: "desktop" }, SECONDS);
    const figures = await visit(origin, visits, SECONDS);
    rounds.push({ figures, ratio: beside && figures.perSecond / beside.perSecond });
  }
  const byRate = rounds.map(({ figures }) => figures).sort((a, b) => a.perSecond - b.perSecond);
  return {
    figures: byRate[Math.floor(ROUNDS / 2)] as Figures,
    ratios: rounds.flatMap(({ ratio }) => ratio ?? []).sort((a, b) => a - b),
  };
}
