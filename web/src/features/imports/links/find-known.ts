import { LINKS_FIND_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { callApi } from "../../../lib/http/call-api.ts";
import { sendWhenAllowed, waitOrBusySeconds } from "../../../lib/http/too-many-requests.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import type { ChannelChoice } from "../../channels/index.ts";
import {
  type KnownLink,
  type LinkDomains,
  type LinkFile,
  type OwnLink,
  type PlannedLine,
  planLines,
  type WantedLink,
  wantedLink,
} from "../../files/index.ts";
import { divide } from "./divide.ts";

/** The choices of the user for all links of an import. */
export interface ImportChoice extends LinkDomains {
  channel: ChannelChoice;
}

export interface Known {
  choice: ImportChoice;
  byLink: ReadonlyMap<string, KnownLink>;
  byAddress: ReadonlyMap<string, readonly OwnLink[]>;
}

const keyOf = ({ url, slug, domain }: WantedLink) => JSON.stringify([url, slug, domain]);

export const channelFields = ({ channelId, usesChannelTag }: ChannelChoice) => ({
  ...(channelId !== null && { channelId }),
  ...(usesChannelTag && { usesChannelTag }),
});

/** @param onProgress gets what to say of it */
export async function findKnown(
  file: LinkFile,
  choice: ImportChoice,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<Known> {
  const wanted = new Map<string, WantedLink>();
  for (const line of file.lines) {
    for (const found of [line, line.repaired]) {
      const link = found && wantedLink({ ...line, ...found }, choice);
      if (link) wanted.set(keyOf(link), link);
    }
  }
  const byLink = new Map<string, KnownLink>();
  const byAddress = new Map<string, OwnLink[]>();
  const links = [...wanted.values()].map((link) => ({ ...link, ...channelFields(choice.channel) }));
  let done = 0;
  for (const part of divide(links, LINKS_FIND_MAX_COUNT)) {
    const text = `${formatNumber(done)} of ${formatNumber(links.length)} addresses are compared with your links.`;
    onProgress(text);
    const body = { links: part };
    const reply = await sendWhenAllowed(() => callApi("POST /api/links/bulk/known", { body, signal }), {
      secondsAfter(error) {
        const seconds = waitOrBusySeconds(error);
        if (seconds !== null) onProgress(`${text} Waiting ${formatCount(seconds, "second")} for the server.`);
        return seconds;
      },
      signal,
    });
    done += part.length;
    for (const [at, { webUrl, ...known }] of reply.results.entries()) {
      const link = part[at];
      if (link && webUrl !== null) byLink.set(keyOf(link), { webUrl, ...known });
    }
    for (const webUrl of new Set(reply.links.map((link) => link.webUrl))) {
      byAddress.set(
        webUrl,
        reply.links.filter((link) => link.webUrl === webUrl),
      );
    }
  }
  return { choice, byLink, byAddress };
}

/** A line of the file with its result. */
export interface Line extends PlannedLine {
  /** The address that was probably meant, if the line does not have it yet. */
  repairedUrl: string | null;
}

export function planFile(file: LinkFile, { choice, byLink, byAddress }: Known, usesRepairs: boolean): Line[] {
  const lines = usesRepairs ? file.lines.map((line) => ({ ...line, ...line.repaired })) : file.lines;
  const planned = planLines(lines, {
    ...choice,
    knownOf: (link) => byLink.get(keyOf(link)),
    ownLinksTo: (webUrl) => byAddress.get(webUrl) ?? [],
    now: Date.now(),
  });
  return planned.map((line, at) => {
    const meant = file.lines[at]?.repaired?.url ?? null;
    return { ...line, repairedUrl: meant === line.url ? null : meant };
  });
}
