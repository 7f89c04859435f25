import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createChannel } from "@tapthru/proto/channels";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, test } from "vitest";
import { NewSecret } from "../components/shown-once.tsx";
import { Toaster } from "../components/ui/toaster.tsx";
import { createQueryClient } from "../lib/http/query-client.ts";
import { queryOf } from "../lib/http/query-presets.ts";
import { problem } from "../testing/accounts-server.ts";
import { mainChannel } from "../testing/channels-server.ts";
import { server } from "../testing/server.ts";
import { findToast } from "../testing/toast.ts";
import { Action } from "./action.tsx";
import { CallForm, TextField } from "./call-form.tsx";
import { Item, Items } from "./items.tsx";

let user: ReturnType<typeof userEvent.setup>;
let channels: ReturnType<typeof mainChannel>[];
let sent: string[];

beforeEach(() => {
  user = userEvent.setup();
  channels = [mainChannel(), { ...mainChannel(), id: 2, name: "Blog", isDefault: false }];
  sent = [];
  server.use(
    http.get("/api/channels", () => HttpResponse.json(channels)),
    http.post("/api/channels", async ({ request }) => {
      const { name } = (await request.json()) as { name: string };
      sent.push(`create ${name}`);
      const created = { ...mainChannel(), id: 3, name, isDefault: false };
      channels = [...channels, created];
      return HttpResponse.json(created, { status: 201 });
    }),
    http.patch("/api/channels/:id", async ({ request }) => {
      const { name } = (await request.json()) as { name: string };
      sent.push(`rename to ${name}`);
      return HttpResponse.json({ ...mainChannel(), id: 2, name });
    }),
    http.delete("/api/channels/:id", ({ params }) => {
      sent.push(`delete ${params.id}`);
      channels = channels.filter(({ id }) => String(id) !== params.id);
      return HttpResponse.json({ id: Number(params.id) });
    }),
  );
});

const secretOf = ({ name }: { name: string }, onDone: () => void) => (
  <NewSecret
    secret={`Secret of ${name}`}
    title="Copy it now"
    text="It is not shown again."
    copy="Copy"
    copied="Copied."
    failedToCopy="Failed to copy."
    saved="I have saved it"
    onDone={onDone}
  />
);

interface ChannelsProps {
  maxCount?: number;
  hasSecrets?: boolean;
}

function Channels({ maxCount = 5, hasSecrets = true }: ChannelsProps) {
  return (
    <Items
      title="Channels"
      text="Where you publish."
      empty="You have no channels."
      failed="Your channels could not be loaded."
      call="POST /api/channels"
      what="add channels"
      add="New channel"
      maxCount={maxCount}
      tooMany="You have the maximum."
      query={useQuery(queryOf("GET /api/channels"))}
      item={({ id, name }) => (
        <Item
          name={name}
          actions={
            <Action
              call="PATCH /api/channels/:id"
              input={{ params: { id: String(id) }, body: { name: "Pod" } }}
              label="Rename"
              of={name}
              done="The channel was renamed."
              undo={(_, { params }) => ({ params, body: { name } })}
            />
          }
          remove={
            <Action
              call="DELETE /api/channels/:id"
              input={{ params: { id: String(id) } }}
              label="Delete"
              of={name}
              question={`Delete ${name}?`}
              done="The channel was deleted."
              gone="The channel had already been deleted."
            />
          }
        >
          {null}
        </Item>
      )}
      form={(close) => (
        <CallForm
          call="POST /api/channels"
          rules={createChannel.body}
          values={{ name: "" }}
          input={(body) => ({ body })}
          save="Create"
          {...(hasSecrets && { shown: secretOf })}
          onClose={close}
        >
          <TextField name="name" label="Name" />
        </CallForm>
      )}
    />
  );
}

function show(props: ChannelsProps = {}) {
  function Site() {
    const [isOnPage, setOnPage] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setOnPage(false)}>
          Leave the page
        </button>
        {isOnPage && <Channels {...props} />}
      </>
    );
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Toaster>
        <MemoryRouter>
          <Site />
        </MemoryRouter>
      </Toaster>
    </QueryClientProvider>,
  );
}

const names = () => screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
const click = async (name: string) => user.click(await screen.findByRole("button", { name }));
const confirm = (label: string) =>
  user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: label }));

describe("a list of items", () => {
  test("says that it is empty, or could not be loaded, and then loads again", async () => {
    server.use(http.get("/api/channels", () => new HttpResponse(null, { status: 404 })));
    show();
    expect((await screen.findByRole("alert")).textContent).toBe("Your channels could not be loaded.");
    server.use(http.get("/api/channels", () => HttpResponse.json([])));
    await click("Try again");
    expect(await screen.findByText("You have no channels.")).toBeTruthy();
  });

  test("offers no further item at the maximum, which it names, and keeps the focus", async () => {
    show({ maxCount: 3, hasSecrets: false });
    await click("New channel");
    await user.type(screen.getByLabelText("Name"), "Podcast{Enter}");
    await screen.findByText("You have the maximum.");
    expect(screen.queryByRole("button", { name: "New channel" })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe("a button", () => {
  test("asks first, and sends nothing after 'Cancel'", async () => {
    show();
    await click("Delete Blog");
    await confirm("Cancel");
    expect(sent).toEqual([]);
  });

  test("sends its call once for a double click, removes the item and keeps the focus in the list", async () => {
    show();
    await click("Delete Blog");
    await user.dblClick(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
    await findToast("The channel was deleted.");
    await waitFor(() => expect(names()).toEqual(["Main"]));
    expect(document.activeElement?.textContent).toContain("New channel");
    expect(sent).toEqual(["delete 2"]);
  });

  test("counts an object that does not exist any more as deleted", async () => {
    server.use(http.delete("/api/channels/:id", () => problem("channel-not-found")));
    show();
    await click("Delete Blog");
    channels = [mainChannel()];
    await confirm("Delete");
    await findToast("The channel had already been deleted.");
    await waitFor(() => expect(names()).toEqual(["Main"]));
  });

  test("can be undone in the toast, also if the page was left before the reply", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(http.patch("/api/channels/:id", () => released.then(() => undefined), { once: true }));
    show();
    await click("Rename Blog");
    await click("Leave the page");
    release();
    await findToast("The channel was renamed.");
    await click("Undo");
    await waitFor(() => expect(sent).toEqual(["rename to Pod", "rename to Blog"]));
  });

  test("refetches the list after a lost reply", async () => {
    server.use(
      http.delete("/api/channels/:id", () => {
        channels = [mainChannel()];
        return HttpResponse.error();
      }),
    );
    show();
    await click("Delete Blog");
    await confirm("Delete");
    await findToast("No reply arrived. Please look whether the change was made before you try again.");
    await waitFor(() => expect(names()).toEqual(["Main"]));
  });
});

describe("a form", () => {
  async function fill() {
    await click("New channel");
    await user.type(screen.getByLabelText("Name"), " Podcast ");
  }

  test("shows at the field what is wrong, and sends nothing", async () => {
    show();
    await click("New channel");
    await click("Create");
    expect(await screen.findByText("Enter a name for the channel.")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Name"));
    expect(sent).toEqual([]);
  });

  test("shows a refusal at its field, and keeps the text", async () => {
    server.use(http.post("/api/channels", () => problem("channel-taken")));
    show();
    await fill();
    await click("Create");
    await waitFor(() => expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByLabelText("Name")).toHaveProperty("value", " Podcast ");
  });

  test("says in a toast what failed once it is left", async () => {
    let fail = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    server.use(
      http.post("/api/channels", async () => {
        await failed;
        return new HttpResponse(null, { status: 503 });
      }),
    );
    show();
    await fill();
    await click("Create");
    await click("Leave the page");
    fail();
    await findToast("The change was not saved. Please try again.");
  });

  test("is sent once by a double click, and shows a secret once", async () => {
    show();
    await fill();
    await user.dblClick(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("Secret of Podcast")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Copy it now");
    await waitFor(() => expect(names()).toContain("Podcast"));
    await click("I have saved it");
    expect(screen.queryByText("Secret of Podcast")).toBeNull();
    expect(document.activeElement?.textContent).toBe("New channel");
    expect(sent).toEqual(["create Podcast"]);
  });
});
