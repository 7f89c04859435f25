import type { Link, updateLink as UpdateLink } from "@tapthru/proto/links";
import type * as z from "zod/mini";
import { type CallTexts, useCall } from "../../../kit/use-call.ts";
import { changeLists, LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { linkOptions } from "../get-link.ts";

type Changes = Omit<z.output<(typeof UpdateLink)["body"]>, "labels" | "userId">;
export type LinkChange = {
  [Name in keyof Changes]-?: Record<Name, Exclude<Changes[Name], undefined>>;
}[keyof Changes];

export const CHANGE = "PATCH /api/links/:shortCode";
type Texts = CallTexts<typeof CHANGE>;
const FAILED = "Failed to change the link. Please try again.";

/** For a call that changes a link. A nickname or title is shown at once, and rolled back if the server refuses. */
export const changeTexts = ({ shortCode, nickname, title }: Link, failed = FAILED) =>
  ({
    failed,
    gone: { variant: "destructive", title: "Error", description: "This link was deleted." },
    async ahead(queryClient, { body }) {
      const { queryKey } = linkOptions(shortCode);
      const show = (change: Partial<Link>) => {
        queryClient.setQueryData(queryKey, (link) => link && { ...link, ...change });
        changeLists(queryClient, LINK_LISTS_KEY, (links) =>
          links.map((link) => (link.shortCode === shortCode ? { ...link, ...change } : link)),
        );
      };
      if (!("nickname" in body || "title" in body)) return () => {};
      await Promise.all([queryKey, LINK_LISTS_KEY].map((key) => queryClient.cancelQueries({ queryKey: key })));
      show(body.title === undefined ? { nickname: body.nickname ?? null } : { title: body.title });
      return () => show(body.title === undefined ? { nickname } : { title });
    },
  }) satisfies Texts;

export function useChangeLink(link: Link, texts: Pick<Texts, "failed" | "done"> = {}) {
  const { call, ...state } = useCall(CHANGE, { ...changeTexts(link), ...texts });
  const params = { shortCode: link.shortCode };
  return {
    ...state,
    change: (body: LinkChange, callbacks?: Parameters<typeof call>[1]) => call({ params, body }, callbacks),
  };
}
