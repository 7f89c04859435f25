import { useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  deleteLabel as DeleteLabel,
  Label,
  updateLabel as UpdateLabel,
} from "@tapthru/proto/http/labels";
import { callApi } from "../../../lib/http/call-api.ts";
import { refreshLabels } from "./list-labels.ts";

/** Changes the name and the colour of a label. */
export function useUpdateLabel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Label) =>
      callApi<typeof UpdateLabel>("PATCH", "/api/labels/:id", { params: { id: String(id) }, body }),
    onSettled: () => refreshLabels(queryClient),
  });
}

export function useDeleteLabel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Label) =>
      callApi<typeof DeleteLabel>("DELETE", "/api/labels/:id", { params: { id: String(id) } }),
    onSettled: () => refreshLabels(queryClient),
  });
}
