import {
  infiniteQueryOptions,
  keepPreviousData,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { LINKS_TAKE_DOWN_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { paths } from "@tapthru/proto/rules/paths";
import type * as z from "zod/mini";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const path = "/api/operator/links";

/** Which links a list shows. */
export interface LinksView {
  q: string;
  ownerId: string | null;
  addressHash: string | null;
}

/** The page with the links of a user, or from a network address. */
export function linksOfPath(of: { ownerId: number } | { addressHash: string }): string {
  const query = "ownerId" in of ? `owner=${of.ownerId}` : `address=${of.addressHash}`;
  return `${paths.operatorLinks}?${query}`;
}

export const allLinksOptions = ({ q, ownerId, addressHash }: LinksView) =>
  infiniteQueryOptions({
    queryKey: [path, { q, ownerId, addressHash }],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", path, {
        query: {
          ...(q && { q }),
          ...(ownerId !== null && { ownerId }),
          ...(addressHash !== null && { addressHash }),
          ...(pageParam !== null && { before: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });

type Links = z.input<(typeof takeDownLinks)["body"]>["links"];
interface TakeDown {
  links: Links;
  isTakenDown: boolean;
}

/** The worker changes the links of a user or an address within this time, unless they are very many. */
const WORKER_MS = 3_000;

/** Takes links down, or lets them work again. The toast undoes it. */
export function useTakeDown() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [path] });
  const { mutate, isPending } = useMutation({
    async mutationFn({ links, isTakenDown }: TakeDown) {
      let count = 0;
      const shortCodes: string[] = [];
      for (const part of partsOf(links)) {
        const body = { links: part, isTakenDown };
        const reply = await callApi("POST", `${path}/take-down`, { body });
        count += reply.count;
        if ("shortCodes" in reply) shortCodes.push(...reply.shortCodes);
      }
      const isAtOnce = "shortCodes" in links;
      return { count, isAtOnce, changed: isAtOnce ? { shortCodes } : links };
    },
    onSuccess({ count, isAtOnce, changed }, { isTakenDown }) {
      if (!isAtOnce) setTimeout(refresh, WORKER_MS);
      const texts = isAtOnce ? messages.linksChanged : messages.linksAreChanged;
      toast({
        description: isTakenDown ? texts.takenDown(count) : texts.restored(count),
        ...(count > 0 && {
          action: {
            label: messages.undo,
            altText: messages.undoTakeDown,
            onSelect: () => mutate({ links: changed, isTakenDown: !isTakenDown }),
          },
        }),
      });
    },
    onError: () => showError(messages.failedToTakeDown),
    onSettled: refresh,
  });
  return { takeDown: mutate, isPending };
}

/** Of a size that one request accepts. */
function partsOf(links: Links): Links[] {
  if (!("shortCodes" in links)) return [links];
  const { shortCodes } = links;
  const parts: Links[] = [];
  for (let start = 0; start < shortCodes.length; start += LINKS_TAKE_DOWN_MAX_COUNT) {
    parts.push({ shortCodes: shortCodes.slice(start, start + LINKS_TAKE_DOWN_MAX_COUNT) });
  }
  return parts;
}
