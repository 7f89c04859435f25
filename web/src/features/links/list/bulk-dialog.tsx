import { type QueryFilters, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { refreshChangedLists } from "../../../lib/link-lists.ts";
import { LINK_KEY } from "../get-link.ts";
import type { SelectedLink } from "./use-selection.ts";

export interface BulkDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

interface BulkChangeProps extends BulkDialogProps {
  /** `refused`: that so many links were not changed. */
  texts: {
    title: string;
    action: string;
    pending: string;
    done: string;
    failed: string;
    refused: (count: number) => string;
  };
  /** Links of one request. */
  maxCount: number;
  change: (ids: number[]) => Promise<{ results: { error: string | null }[] }>;
  /** What else changes. */
  changed?: readonly QueryFilters[];
  children: ReactNode;
}

/** Changes the selected links in one or several requests, and says how many were refused. */
export function BulkDialog(props: BulkChangeProps) {
  const { links, onClose, texts, maxCount, change, changed = [], children } = props;
  const [refused, setRefused] = useState(0);
  const toast = useToast();
  const queryClient = useQueryClient();
  const { mutate, isPending, isError } = useMutation({
    async mutationFn() {
      const ids = links.map(({ id }) => id);
      let count = 0;
      for (let start = 0; start < ids.length; start += maxCount) {
        const { results } = await change(ids.slice(start, start + maxCount));
        count += results.filter(({ error }) => error !== null).length;
      }
      return count;
    },
    onSettled: () =>
      Promise.all([
        refreshChangedLists(queryClient),
        ...[{ queryKey: [LINK_KEY] }, ...changed].map((filter) => queryClient.invalidateQueries(filter)),
      ]),
  });

  function save() {
    if (isPending) return;
    mutate(undefined, {
      onSuccess(count) {
        setRefused(count);
        if (count > 0) return;
        toast({ title: texts.done });
        onClose();
      },
    });
  }

  return (
    <Dialog title={texts.title} onClose={onClose}>
      {children}
      <DialogError>{isError ? texts.failed : refused > 0 ? texts.refused(refused) : null}</DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button aria-disabled={isPending} onClick={save}>
          {isPending ? texts.pending : texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
