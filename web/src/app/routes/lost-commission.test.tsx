import { paths } from "@tapthru/proto/rules/paths";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { serveBulk } from "../../testing/bulk-server.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { button, click } from "../../testing/controls.ts";
import { useFakeWorker } from "../../testing/fake-worker.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { renderApp } from "../../testing/render-app.tsx";

const PRODUCT = "https://www.amazon.com/dp/B0ZZ1Y2X3W";

beforeEach(() => {
  sessionStorage.clear();
  useFakeWorker();
});

async function upload(text: string) {
  await userEvent.upload(await screen.findByLabelText("Choose files"), new File([text], "blog.txt"));
}

async function choose(text: string) {
  await renderApp(paths.lostCommission);
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
  await userEvent.type(screen.getByLabelText("Other tags of yours"), "mine, me-20");
  expect(await itemOf(PRODUCT)).toContain(`${PRODUCT}?tag=me-20`);
  await userEvent.click(screen.getByRole("radio", { name: "Tags of others (1)" }));
  expect(await itemOf("https://www.amazon.com/dp/B0ZZ1Y2X3C?tag=rival-21")).toContain("another country");
});

test("the CSV says what to replace where", async () => {
  const saved = catchFiles();
  await choose(`=1+1 ${PRODUCT}\nhttps://www.amazon.com/dp/B0ZZ1Y2X3C?tag=me-20`);
  await click("Download CSV");
  const [, line] = (await saved[0]?.file.text())?.split("\r\n") ?? [];
  expect(line).toBe(`"blog.txt","1","","${PRODUCT}","It has no tag.","${PRODUCT}?tag=me-20"`);
});

test("a user who presses the button sees what the repaired links become, once", async () => {
  serveBulk();
  await openAsUser(paths.lostCommission);
  // Of a cut one it is not known which was meant.
  await upload(`${PRODUCT} https://www.amazon.com/dp/B0ZZ1`);
  await click("Make short links of 1");
  expect(await button("Import 1 link")).toBeTruthy();
  expect(sessionStorage.length).toBe(0);
});

test("a visitor signs up first", async () => {
  await choose(PRODUCT);
  await click("Make short links of 1");
  expect(await screen.findByRole("heading", { name: "Create your account" })).toBeTruthy();
  expect(sessionStorage.getItem("found_links")).toBe(PRODUCT);
});
