import { createChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { createUntaggedCode, updateLink } from "@tapthru/proto/links";
import { expect, it } from "vitest";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi({ PUBLIC_BASE_URL: "http://localhost:1" });
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

it("the file says what each channel got, which links have no tag, and when tags changed, without a visitor", async () => {
  const ada = await signUpUser(api);
  const { id } = await ada.call(createChannel, { body: { name: "Blog" } });
  for (const tag of ["blog-21", "other-21"]) {
    await ada.call(saveChannelTag, { params: { id: String(id) }, body: { marketplace: "de", tag } });
  }
  const { shortCode, id: linkId } = await ada.call(createLink, { body: { url: `${PAGE}?tag=a-21`, channelId: id } });
  await ada.call(updateLink, { params: { shortCode }, body: { url: `${PAGE}?tag=b-21` } });
  await ada.call(createUntaggedCode, { params: { shortCode } });
  await api.query(`INSERT INTO clicks (link_id, day, counts)
    VALUES (${linkId}, current_date, '{"p": "4:7", "b": "4:2", "i": "4", "r:youtube.com": "4:6", "c:de": "4:7", "d:ios": "4:7"}')`);
  await api.query(
    `INSERT INTO domains (user_id, host, proof, verified_at) VALUES (${ada.user.id}, 'go.ada.example', 'p', now())`,
  );
  const response = await api.request("GET", "/api/amazon-answer", { ...ada.browser, accept: "text/csv" });
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\r\n");
  const of = (section: string) =>
    lines.filter((line) => line.startsWith(section)).map((line) => line.slice(section.length + 1));
  expect(of("What visitors get")[0]).toMatch(/,Kept: not seen; /);
  expect(of("Domains")).toEqual(["localhost,Whose: this service's", "go.ada.example,Whose: the owner's"]);
  expect(of("Channels")[1]).toBe(
    "Blog,Tags: amazon.de other-21; People: 7; Previews: 0; Bots: 2; Assistants: 1; Sites that people came from: youtube.com 6",
  );
  expect(of("Links without a tag, for print and mail")).toHaveLength(0);
  expect(of('"Links without a tag, for print and mail"')).toEqual([
    `http://localhost:1/l/${shortCode}-print,Without the tag of: http://localhost:1/l/${shortCode}`,
  ]);
  expect(of("Changes of tags").map((line) => line.replace(RegExp(TIME), "now"))).toEqual([
    '"Blog, amazon.de",Time: now; Before: blog-21; After: other-21',
    '"Blog, amazon.de",Time: now; Before: none; After: blog-21',
    `${shortCode},Time: now; Before: a-21; After: b-21`,
  ]);
});
