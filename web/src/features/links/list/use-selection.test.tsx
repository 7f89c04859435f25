import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { Toaster } from "../../../components/ui/toaster.tsx";
import { createQueryClient } from "../../../lib/http/query-client.ts";
import { shortLink } from "../../../testing/links-server.ts";
import { serve } from "../../../testing/serve.ts";
import { NO_FILTERS } from "./use-list-view.ts";
import { useSelection } from "./use-selection.ts";

const VIEW = { ...NO_FILTERS, q: "", sort: "newest" } as const;

test("all of a list that is loaded in part are selected by the second click, as one set for all renders", async () => {
  serve("GET /api/link-ids", () => [1, 2, 3, 4, 5]);
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Toaster>{children}</Toaster>
    </QueryClientProvider>
  );
  const links = [1, 2, 3].map((id) => shortLink({ id }));
  const options = { view: VIEW, links, areMore: true, deletedIds: new Set([5]) };
  const { result, rerender } = renderHook(() => useSelection(options), { wrapper });
  const selected = () => result.current.selected?.map(({ id }) => id);
  act(() => result.current.start());
  act(() => result.current.selectAll());
  expect(selected()).toEqual([1, 2, 3]);
  await waitFor(() => expect(result.current.totalCount).toBe(4));
  act(() => result.current.selectAll());
  expect(selected()).toEqual([1, 2, 3, 4]);
  const { ids } = result.current;
  rerender();
  expect(result.current.ids).toBe(ids);
  act(() => result.current.toggle(1, false));
  expect(selected()).toEqual([2, 3, 4]);
  act(() => result.current.toggle(3, true));
  expect(selected()).toEqual([4]);
  act(() => result.current.toggle(1, true));
  expect([selected(), ids?.size]).toEqual([[1, 2, 3, 4], 4]);
});
