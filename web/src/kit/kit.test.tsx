import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createChannel } from "@tapthru/proto/channels";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { beforeEach, describe, expect, test } from "vitest";
import { OneTimeSecret } from "../components/one-time-secret.tsx";
import { Details } from "../components/ui/details.tsx";
import { Toaster } from "../components/ui/toaster.tsx";
import { createQueryClient } from "../lib/http/query-client.ts";
import { queryOf } from "../lib/http/query-presets.ts";
import { answer, click, field, question, textsOf } from "../testing/controls.ts";
import { mainChannel } from "../testing/examples.ts";
import { failure, heldReplies, problem, serve } from "../testing/serve.ts";
import { findToast } from "../testing/toast.ts";
import { Action } from "./action.tsx";
import { CallForm, TextField } from "./call-form.tsx";
import { Item, Items } from "./items.tsx";

let channels: ReturnType<typeof mainChannel>[];
let sent: string[];
const BLOG = mainChannel({ id: 2, name: "Blog", isDefault: false });

beforeEach(() => {
  channels = [mainChannel(), BLOG];
  sent = [];
  serve("GET /api/channels", () => channels);
  serve<{ name: string }>("POST /api/channels", ({ body: { name } }) => {
    sent.push(`create ${name}`);
    channels = [...channels, { ...BLOG, id: 3, name }];
    return channels.at(-1);
  });
  serve<{ name: string }>("PATCH /api/channels/:id", ({ body: { name } }) => {
    sent.push(`rename to ${name}`);
    return { ...BLOG, name };
  });
  serve("DELETE /api/channels/:id", ({ params }) => {
    sent.push(`delete ${params.id}`);
    channels = channels.filter(({ id }) => String(id) !== params.id);
    return { id: Number(params.id) };
  });
});

const secretOf = ({ name }: { name: string }, onDone: () => void) => (
  <OneTimeSecret
    secret={`Secret of ${name}`}
    title="Copy it now"
    text="It is not shown again."
    copy="Copy"
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
              done="The channel was renamed."
              undo={(_, { params }) => ({ params, body: { name } })}
            />
          }
          remove={
            <Action
              call="DELETE /api/channels/:id"
              input={{ params: { id: String(id) } }}
              label="Delete"
              question={`Delete ${name}?`}
              done="The channel was deleted."
              gone="The channel had already been deleted."
            />
          }
          details={
            <Details summary="Where it is" openSummary="Hide">
              {null}
            </Details>
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

const areNamed = (...names: string[]) =>
  waitFor(() => expect(textsOf(screen.getAllByRole("heading", { level: 3 }))).toEqual(names));
const name = () => field("Name");

describe("a list of items", () => {
  test("says that it is empty, or could not be loaded, and then loads again", async () => {
    serve("GET /api/channels", () => failure(404));
    show();
    expect((await screen.findByRole("alert")).textContent).toBe("This could not be loaded.");
    channels = [];
    serve("GET /api/channels", () => channels);
    await click("Try again");
    expect(await screen.findByText("You have no channels.")).toBeTruthy();
  });

  test("offers no further item at the maximum, which it names, and keeps the focus", async () => {
    show({ maxCount: 3, hasSecrets: false });
    await click("New channel");
    await userEvent.type(name(), "Podcast{Enter}");
    await screen.findByText("You have the maximum.");
    expect(screen.queryByRole("button", { name: "New channel" })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
  });
});

test("each control of an item has a name of its own", async () => {
  show();
  await screen.findByRole("button", { name: "Rename Blog" });
  const list = screen.getByRole("list", { name: "Channels" });
  const names = [...list.querySelectorAll("button, summary")].map(
    (control) => control.getAttribute("aria-label") ?? control.textContent,
  );
  expect(names).toHaveLength(6);
  expect(new Set(names).size).toBe(6);
});

describe("a button", () => {
  test("that waits for a reply is busy, keeps the focus and sends nothing more", async () => {
    const { released, release } = heldReplies();
    const replies = serve("PATCH /api/channels/:id", () => released.then(() => BLOG));
    show();
    const rename = await screen.findByRole("button", { name: "Rename Blog" });
    const looks = () => ["aria-busy", "aria-disabled"].map((name) => rename.getAttribute(name));
    await userEvent.click(rename);
    await waitFor(() => expect(looks()).toEqual(["true", "true"]));
    await userEvent.click(rename);
    expect(document.activeElement).toBe(rename);
    release();
    await waitFor(() => expect(looks()).toEqual(["false", "false"]));
    expect(replies).toHaveLength(1);
  });

  test("asks first, sends its call once for a double click, removes the item and keeps the focus in the list", async () => {
    show();
    await click("Delete Blog");
    await answer("Cancel");
    expect(sent).toEqual([]);
    await click("Delete Blog");
    await userEvent.dblClick(question().getByRole("button", { name: "Delete" }));
    await findToast("The channel was deleted.");
    await areNamed("Main");
    expect(document.activeElement?.textContent).toContain("New channel");
    expect(sent).toEqual(["delete 2"]);
  });

  test.each([
    [
      "counts an object that does not exist any more as deleted",
      () => problem("channel-not-found"),
      "The channel had already been deleted.",
    ],
    [
      "refetches the list after a lost reply",
      () => HttpResponse.error(),
      "No reply arrived. Please check whether the change was made before you try again.",
    ],
  ])("%s", async (_case, reply, text) => {
    serve("DELETE /api/channels/:id", () => {
      channels = [mainChannel()];
      return reply();
    });
    show();
    await click("Delete Blog");
    await answer("Delete");
    await findToast(text);
    await areNamed("Main");
  });

  test("a button's toast can undo it, also if the page was left before the reply", async () => {
    const { released, release } = heldReplies();
    serve("PATCH /api/channels/:id", () => released.then(() => ({ ...BLOG, name: "Pod" })), { once: true });
    show();
    await click("Rename Blog");
    await click("Leave the page");
    release();
    await findToast("The channel was renamed.");
    await click("Undo");
    await waitFor(() => expect(sent).toEqual(["rename to Blog"]));
  });
});

describe("a form", () => {
  async function fillName() {
    await click("New channel");
    await userEvent.type(name(), " Podcast ");
  }

  test("shows at the field what is wrong, and sends nothing", async () => {
    show();
    await click("New channel");
    await click("Create");
    expect(await screen.findByText("Enter a name for the channel.")).toBeTruthy();
    expect([document.activeElement, sent]).toEqual([name(), []]);
  });

  test("shows a refusal at its field, and keeps the text", async () => {
    serve("POST /api/channels", () => problem("channel-taken"));
    show();
    await fillName();
    await click("Create");
    await waitFor(() => expect(name().getAttribute("aria-invalid")).toBe("true"));
    expect(name().value).toBe(" Podcast ");
  });

  test.each([
    ["is done", () => ({ ...BLOG, id: 3, name: "Podcast" })],
    ["is refused", () => problem("channel-taken")],
    ["has failed", () => failure()],
  ])("leaves the focus where the user has gone on when it %s", async (_case, reply) => {
    const { released, release } = heldReplies();
    const replies = serve("POST /api/channels", async () => {
      await released;
      return reply();
    });
    show({ hasSecrets: false });
    await fillName();
    await click("Create");
    const elsewhere = screen.getByRole("button", { name: "Leave the page" });
    elsewhere.focus();
    release();
    await waitFor(() => expect(replies).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Saving..." })).toBeNull());
    expect(document.activeElement).toBe(elsewhere);
  });

  test("leaves the focus there when it shows a secret", async () => {
    const { released, release } = heldReplies();
    serve("POST /api/channels", () => released.then(() => ({ ...BLOG, id: 3, name: "Podcast" })));
    show();
    await fillName();
    await click("Create");
    const elsewhere = screen.getByRole("button", { name: "Leave the page" });
    elsewhere.focus();
    release();
    await screen.findByText("Secret of Podcast");
    expect(document.activeElement).toBe(elsewhere);
  });

  test("says in a toast what failed once it is left", async () => {
    const { released, release } = heldReplies();
    serve("POST /api/channels", () => released.then(() => failure()));
    show();
    await fillName();
    await click("Create");
    await click("Leave the page");
    release();
    await findToast("That did not work. Please try again.");
  });

  test("a double click sends a form once, and the page shows a secret once", async () => {
    show();
    await fillName();
    await userEvent.dblClick(screen.getByRole("button", { name: "Create" }));
    expect(await screen.findByText("Secret of Podcast")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Copy it now");
    expect(await screen.findByRole("heading", { level: 3, name: "Podcast" })).toBeTruthy();
    await click("I have saved it");
    expect(screen.queryByText("Secret of Podcast")).toBeNull();
    expect(document.activeElement?.textContent).toBe("New channel");
    expect(sent).toEqual(["create Podcast"]);
  });
});
