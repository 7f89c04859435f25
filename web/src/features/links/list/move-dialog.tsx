import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LINKS_MOVE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { DomainSelect, useDomainChoice } from "../../../components/domain-select.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions, DialogError } from "../../../components/ui/dialog.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { refreshChangedLists } from "../../../lib/link-lists.ts";
import { LINK_KEY } from "../get-link.ts";
import type { SelectedLink } from "./use-selection.ts";

interface MoveDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

/** Moves links to a domain, each with its name. */
export function MoveDialog({ links, onClose }: MoveDialogProps) {
  const domains = useDomainChoice();
  const toast = useToast();
  const [refused, setRefused] = useState(0);
  const { mutate, isPending, isError } = useMoveLinks();

  function move() {
    if (isPending) return;
    const request = { ids: links.map(({ id }) => id), domain: domains.value ?? null };
    mutate(request, {
      onSuccess(count) {
        setRefused(count);
        if (count > 0) return;
        toast({ title: messages.linksMoved });
        onClose();
      },
    });
  }

  return (
    <Dialog title={messages.moveLinks(links.length)} onClose={onClose}>
      <p className="mb-4 leading-6 text-pretty text-muted">{messages.moveLinksText}</p>
      <DomainSelect {...domains} label={messages.domain} />
      <DialogError>
        {isError
          ? messages.failedToMoveLinks
          : refused > 0
            ? messages.linksNotMoved(refused)
            : null}
      </DialogError>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button aria-disabled={isPending} onClick={move}>
          {isPending ? messages.movingLinks : messages.move}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** @returns a mutation whose result is how many links were not moved */
function useMoveLinks() {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn({ ids, domain }: { ids: readonly number[]; domain: string | null }) {
      let refused = 0;
      for (let start = 0; start < ids.length; start += LINKS_MOVE_MAX_COUNT) {
        const { results } = await callApi("PUT", "/api/links/bulk/domain", {
          body: { ids: ids.slice(start, start + LINKS_MOVE_MAX_COUNT), domain },
        });
        refused += results.filter(({ error }) => error !== null).length;
      }
      return refused;
    },
    onSettled: () =>
      Promise.all([
        refreshChangedLists(queryClient),
        queryClient.invalidateQueries({ queryKey: [LINK_KEY] }),
      ]),
  });
}
