import { paths } from "@tapthru/proto/rules/paths";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { NOT_KEPT } from "../../lib/stored-texts.ts";
import { serveBulk } from "../../testing/bulk-server.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { button, click, textsOf } from "../../testing/controls.ts";
import { mainChannel } from "../../testing/examples.ts";
import { addTestUser, fakeIdentityProvider } from "../../testing/fake-identity-provider.ts";
import { useFakeWorker } from "../../testing/fake-worker.ts";
import { ANNA, openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { heldReplies, serveChannels } from "../../testing/serve.ts";
import { findToast } from "../../testing/toast.ts";

const PRODUCT = "https://www.amazon.com/dp/B0ZZ1Y2X3W";

beforeEach(() => {
  sessionStorage.clear();
  useFakeWorker();
});

async function upload(text: string) {
  await userEvent.upload(await screen.findByLabelText("Choose files"), new File([text], "blog.txt"));
}

async function choose(text: string) {
  await renderApp(paths.linkAudit);
  await upload(text);
}

const itemOf = async (address: string) => (await screen.findByText(address)).closest("li")?.textContent;

test("a visitor sees why a link pays nothing, where it is, and the one that would pay", async () => {
  await choose(`Lamp: ${PRODUCT}\nChair: https://www.amazon.com/dp/B0ZZ1Y2X3C?tag=me-20\n${PRODUCT}`);
  expect(await screen.findByText("1 link of 2 pays nothing.")).toBeTruthy();
  const text = await itemOf(PRODUCT);
  expect(text).toContain("It has no tag.");
  expect(text).toContain(`${PRODUCT}?tag=me-20`);
  expect(text).toContain("blog.txt · line 1, and 1 other place");
});

const tagged = (tag: string) => `${PRODUCT}?tag=${tag}`;

test.each([
  ["me-20", [tagged("me-20"), `${tagged("me-20")}&th=1`, `${tagged("me-20")}&th=2`, tagged("rival-20")]],
  [undefined, [tagged("me-20"), `${tagged("me-20")}&th=1`, tagged("rival-20")]],
])("the tag that is guessed to be the user's is %s", async (own, links) => {
  await choose(links.join("\n"));
  const boxes = await screen.findAllByRole<HTMLInputElement>("checkbox");
  expect(boxes.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(own ? [own] : []);
});

test("links with tags that are not ticked are apart, and a tag of the user's can be added", async () => {
  await choose(`${PRODUCT} https://www.amazon.com/dp/B0ZZ1Y2X3C?tag=rival-21`);
  await userEvent.click(await screen.findByRole("checkbox", { name: /^rival-21/ }));
  await userEvent.type(screen.getByLabelText("Your other tags"), "mine, me-20");
  expect(await itemOf(PRODUCT)).toContain(`${PRODUCT}?tag=me-20`);
  await userEvent.click(screen.getByRole("radio", { name: "Tags of others (1)" }));
  expect(await itemOf("https://www.amazon.com/dp/B0ZZ1Y2X3C?tag=rival-21")).toContain("another country");
});

test("the CSV says what to replace where", async () => {
  const saved = catchFiles();
  await choose(`=1+1 ${PRODUCT}\nhttps://www.amazon.com/dp/B0ZZ1Y2X3C?tag=me-20`);
  await click("Download CSV");
  const [, line] = (await saved[0]?.file.text())?.split("\r\n") ?? [];
  expect(line).toBe(`blog.txt,1,,${PRODUCT},It has no tag.,${PRODUCT}?tag=me-20`);
});

const DE = "https://www.amazon.de/dp/B0ZZ1Y2X3C";
const mine = mainChannel({ tags: [{ marketplace: "com", tag: "anna-20" }] });
const blog = { ...mine, id: 9, name: "Blog", isDefault: false, tags: [{ marketplace: "de" as const, tag: "Blog-21" }] };

test("a user's own tags count from the start, in any case, also those that are in no file", async () => {
  serveChannels(mine, blog);
  await openAsUser(paths.linkAudit);
  await upload(
    [...["ANNA-20", "rival-20", "rival-20"].map((tag, n) => `${tagged(tag)}&th=${n}`), PRODUCT, DE].join("\n"),
  );
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox").map(({ value, checked }) => [value, checked]);
  await waitFor(() =>
    expect(boxes()).toEqual([
      ["rival-20", false],
      ["anna-20", true],
      ["blog-21", true],
    ]),
  );
  expect(screen.getByText("2 links of 5 pay nothing.")).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Pays you (1)" })).toBeTruthy();
  expect(await itemOf(PRODUCT)).toContain(`${PRODUCT}?tag=anna-20`);
  expect(await itemOf(DE)).toContain(`${DE}?tag=blog-21`);
});

test("neither offers nor counts links of others", async () => {
  await choose([tagged("me-20"), `${tagged("me-20")}&th=1`, `${tagged("me-20")}&th=2`, tagged("rival-20")].join("\n"));
  await userEvent.click(await screen.findByRole("radio", { name: "Tags of others (1)" }));
  expect(await itemOf(tagged("rival-20"))).toBe(`${tagged("rival-20")}Its tag is not one of yours.blog.txt · line 4`);
  expect(textsOf(screen.getAllByRole("button")).filter((text) => /short|copy/i.test(text ?? ""))).toEqual([]);
});

test("pages that are worth no tag are no loss, and apart", async () => {
  await choose(`https://www.amazon.com/ https://www.amazon.com/gp/help/customer ${PRODUCT}`);
  await screen.findByText("1 link of 3 pays nothing.");
  await userEvent.click(screen.getByRole("radio", { name: "Not worth a tag (2)" }));
  expect(await itemOf("https://www.amazon.com/gp/help/customer")).toContain("home, cart, help or orders");
  expect(screen.queryByRole("button", { name: /short/ })).toBeNull();
});

test("the results are there again after Back, as they were", async () => {
  serveBulk();
  addTestUser(ANNA);
  const { goBack } = await renderApp(paths.linkAudit, { identity: fakeIdentityProvider(ANNA) });
  await upload(`${PRODUCT} https://www.amazon.com/`);
  await userEvent.type(await screen.findByLabelText("Your other tags"), "me-20{ArrowLeft>4/}in");
  await click("Make short links");
  await button("Import 1 link");
  await goBack();
  expect(await itemOf(PRODUCT)).toContain(`${PRODUCT}?tag=mine-20`);
  expect(await screen.findByRole("radio", { name: "Not worth a tag (1)" })).toBeTruthy();
});

test("reading says how far it is, and can be cancelled, which keeps the earlier results", async () => {
  await choose(PRODUCT);
  await screen.findByText("1 link of 1 pays nothing.");
  const { released, release } = heldReplies();
  const file = new File([tagged("me-20")], "slow.txt");
  file.arrayBuffer = () => released.then(() => new ArrayBuffer(0));
  await userEvent.upload(screen.getByLabelText("Choose files"), [new File([PRODUCT], "a.txt"), file]);
  await screen.findByText(/^Reading\.\.\. \d+ %$/);
  await click("Cancel");
  release();
  expect(await screen.findByText("1 link of 1 pays nothing.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Choose files"));
  await upload(`${PRODUCT} ${DE}`);
  expect(await screen.findByText("2 links of 2 pay nothing.")).toBeTruthy();
});

test("a user who clicks the button sees what the repaired links become, once", async () => {
  serveBulk();
  await openAsUser(paths.linkAudit);
  // Of a cut one it is not known which was meant.
  await upload(`${PRODUCT} https://www.amazon.com/dp/B0ZZ1`);
  await click("Make short links");
  expect(await button("Import 1 link")).toBeTruthy();
  expect(sessionStorage.length).toBe(0);
});

test("says so if the browser has no room for the links", async () => {
  await choose(PRODUCT);
  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem, clear() {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  await click("Make short links");
  await findToast(NOT_KEPT);
  expect(screen.getByRole("button", { name: "Make short links" })).toBeTruthy();
});

test("a visitor signs up first", async () => {
  await choose(PRODUCT);
  await click("Make short links");
  expect(await screen.findByRole("heading", { name: "Create your account" })).toBeTruthy();
  expect(sessionStorage.getItem("found_links")).toBe(PRODUCT);
});
