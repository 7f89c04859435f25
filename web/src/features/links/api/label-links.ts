import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { labelLinks as LabelLinks, LabelRef } from "@tapthru/proto/http/labels";
import { LINKS_LABEL_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { callApi } from "../../../lib/http/call-api.ts";
import type { SelectedLink } from "../use-selection.ts";
import { refreshLabels } from "./list-labels.ts";

interface LabelChange {
  links: readonly SelectedLink[];
  addLabels: LabelRef[];
  removeLabels: LabelRef[];
}

/** Requests follow each other: the first one may create labels. @returns how many links would have too many labels */
async function labelLinks({ links, ...change }: LabelChange): Promise<number> {
  const ids = links.map(({ id }) => id);
  let refused = 0;
  for (let start = 0; start < ids.length; start += LINKS_LABEL_MAX_COUNT) {
    const { results } = await callApi<typeof LabelLinks>("PATCH", "/api/links/bulk", {
      body: { ids: ids.slice(start, start + LINKS_LABEL_MAX_COUNT), ...change },
    });
    refused += results.filter(({ error }) => error === "too-many-labels-on-link").length;
  }
  return refused;
}

/** Adds and removes labels of links. */
export function useLabelLinks() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: labelLinks,
    onSettled: () => refreshLabels(queryClient),
  });
}
