import { QueryClientProvider } from "@tanstack/react-query";
import type { Call, DocumentedCall } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { exampleOf } from "@tapthru/proto/examples";
import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Toaster } from "../components/ui/toaster.tsx";
import type { CallName } from "../lib/http/call-api.ts";
import { createQueryClient } from "../lib/http/query-client.ts";
import { answer, click } from "../testing/controls.ts";
import { failure, serve } from "../testing/serve.ts";
import { findToast } from "../testing/toast.ts";
import { Action } from "./action.tsx";

const FINAL = Object.values(CALLS as Record<string, Call>).filter(({ isFinal }) => isFinal !== undefined);

test.each(FINAL.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "%s, whose effect cannot be undone, is sent only after a question",
  async (name, call) => {
    const { params, body } = exampleOf(call as DocumentedCall);
    const sent = serve(name as `DELETE /${string}`, () => failure());
    const input = { params, body: call.isFinal === true ? body : call.isFinal };
    const show = (texts: { question?: string }) =>
      render(
        <QueryClientProvider client={createQueryClient()}>
          <Toaster>
            <Action call={name as CallName} input={input as never} label="Do it" {...texts} />
          </Toaster>
        </QueryClientProvider>,
      );
    const { unmount } = show({});
    await click("Do it");
    await findToast("That did not work. Please try again.");
    expect(sent).toEqual([]);
    unmount();
    show({ question: "Really?" });
    await click("Do it");
    await answer("Do it");
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  },
);
