import type { OperatorActivity } from "@tapthru/proto/operator/activity";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { openAsOperator } from "../../../testing/operator-server.ts";
import { server } from "../../../testing/server.ts";

const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";
const ROW: OperatorActivity = {
  id: 9,
  at: "2026-11-26T12:00:00.000Z",
  actor: "key",
  actorName: "Script",
  actorUsername: "anna",
  ownerUsername: "anna",
  action: "link.changed",
  object: "lampcod",
  before: { nickname: null },
  after: { nickname: "Lamp" },
  requestId: "0f6c6a0e",
  addressHash: ADDRESS,
};

const user = userEvent.setup();
let rows: OperatorActivity[];
let requests: string[];

beforeEach(() => {
  rows = [ROW];
  requests = [];
  server.use(
    http.get("/api/operator/activity", ({ request }) => {
      requests.push(new URL(request.url).search.slice(1));
      return HttpResponse.json({ activity: rows, nextBefore: null });
    }),
  );
});

const open = (query = "") => openAsOperator(`/operator/activity${query}`);
const items = async () => within(await screen.findByRole("list", { name: "Activity" })).getAllByRole("listitem");
const lastRequest = (query: string) => waitFor(() => expect(requests.at(-1)).toBe(query));

test("each row has actor, owner, address and request", async () => {
  const none = { actorName: null, actorUsername: null, ownerUsername: null };
  rows.push({ ...ROW, ...none, id: 8, actor: "visitor", requestId: null, addressHash: null });
  await open();
  expect((await items()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(
      /^Link changedlampcodof annaAPI key Script annaNov 26.*LampAddress 5f0c9a3dRequest 0f6c6a0e$/,
    ),
    expect.stringMatching(/^Link changedlampcodVisitorNov 26.*Lamp$/),
  ]);
});

test("the state of a user is in words", async () => {
  rows = [
    {
      ...ROW,
      action: "account.changed",
      before: { state: "enabled" },
      after: { state: "blocked" },
    },
  ];
  await open();
  const [state] = (await items()).map(({ textContent }) => textContent);
  expect(state).toMatch(/Enabled.*Disabled, links closed/);
});

test("filters are in the address of the page and of the request", async () => {
  await open("?userId=7");
  await lastRequest("userId=7");
  await user.selectOptions(screen.getByRole("combobox", { name: "By" }), "operator");
  await lastRequest("actor=operator&userId=7");
  await user.selectOptions(screen.getByRole("combobox", { name: "What" }), "Link");
  await lastRequest("actor=operator&action=link&userId=7");
  await user.click(screen.getByRole("button", { name: "Remove the filter User 7" }));
  await lastRequest("actor=operator&action=link");
  rows = [];
  await user.type(screen.getByRole("searchbox"), "bob{Enter}");
  await lastRequest("actor=operator&action=link&q=bob");
  expect(await screen.findByText("No changes match these filters.")).toBeTruthy();
});

test("an address leads to all changes from it, a name to those of the user", async () => {
  await open();
  await user.click(await screen.findByRole("link", { name: "Address 5f0c9a3d" }));
  await lastRequest(`addressHash=${ADDRESS}`);
  await user.click((await screen.findAllByRole("link", { name: "anna" }))[0] as HTMLElement);
  await lastRequest("q=anna");
});
