import * as z from "zod/mini";

const TEXT_MAX_LENGTH = 60;
const VERSION_MAX_LENGTH = 40;

export const AgentText = z.string().check(z.regex(/^[\x20-\x7e]+$/), z.minLength(2), z.maxLength(TEXT_MAX_LENGTH));

/** Text by which an app is recognized: not a pattern, so that matching is linear. */
export const Marker = z.strictObject({
  text: AgentText,
  wordEdges: z.optional(z.enum(["start", "end", "both"])),
  beforeDigit: z.optional(z.boolean()),
});
export type Marker = z.infer<typeof Marker>;

export function matchesMarker(agent: string, marker: Marker): boolean {
  const { text, wordEdges, beforeDigit = false } = marker;
  const needsStart = wordEdges === "start" || wordEdges === "both";
  const needsEnd = wordEdges === "end" || wordEdges === "both";
  for (let at = agent.indexOf(text); at !== -1; at = agent.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (needsStart && !isWordEdge(agent, at)) continue;
    if (needsEnd && !isWordEdge(agent, end)) continue;
    if (beforeDigit && !/^\d/.test(agent.charAt(end))) continue;
    return true;
  }
  return false;
}

/** The dotted number right after the first of the texts that has one; null if none has. */
export function versionAfter(agent: string, texts: readonly string[]): string | null {
  for (const text of texts) {
    const at = agent.indexOf(text);
    if (at === -1) continue;
    const start = at + text.length;
    const version = /^\d[\d.]*/.exec(agent.slice(start, start + VERSION_MAX_LENGTH))?.[0];
    if (version !== undefined) return version;
  }
  return null;
}

function isWordEdge(text: string, at: number): boolean {
  const isWord = (index: number) => /\w/.test(text.charAt(index));
  return isWord(at - 1) !== isWord(at);
}
