import { runSql } from "./database.ts";
import { expect, newProduct, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

/** In UTC, as Amazon's days are counted here. */
const dayBefore = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
const days = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

/** Two sales on each of these days, of which the amounts differ. */
function reportOf(currency: string, tag: string, asins: string[], lastDay: number) {
  const head = `Category,Name,ASIN,Seller,Tracking ID,Date Shipped,Price(${currency}),Items Shipped,Returns,Revenue(${currency}),Ad Fees(${currency}),Device Type Group`;
  const rows = days(70, lastDay).flatMap((day) =>
    asins.map(
      (asin, at) => `Home,A product,${asin},Amazon,${tag},${dayBefore(day)},10,2,0,20,${at + 1}.${day},DESKTOP`,
    ),
  );
  return { name: `${tag}-Fee-Earnings.csv`, mimeType: "text/csv", buffer: Buffer.from([head, ...rows].join("\r\n")) };
}

test("a link has the same taps and earnings on each page", async ({ links, page }) => {
  const [kettle, mug, lamp] = [newProduct(), newProduct(), newProduct()];
  const codes: Record<string, string> = {
    kettle: await links.create(`https://www.amazon.de/dp/${kettle.asin}?tag=me-21`),
    mug: await links.create(`https://www.amazon.de/dp/${mug.asin}?tag=me-21`),
    otherMug: await links.create(`https://www.amazon.de/dp/${mug.asin}?tag=me-21`),
    lamp: await links.create(`https://www.amazon.com/dp/${lamp.asin}?tag=me-20`),
  };
  const taps = Object.values(codes).flatMap((code, at) =>
    days(70, 1).map((day) => ({ code, day: dayBefore(day), people: 3 + ((day * (at + 2)) % 7) })),
  );
  await runSql(
    `SELECT create_click_partitions((current_date - n * interval '1 month')::date) FROM generate_series(0, 3) AS n`,
    [],
  );
  await runSql(
    `WITH tap AS (
       SELECT id, day, user_id, given.people FROM jsonb_to_recordset($1) AS given (code text, day date, people integer)
       JOIN links ON short_code = code
     ), of_link AS (
       INSERT INTO clicks SELECT id, day, jsonb_build_object('p', '48:' || people), NULL, people, user_id FROM tap
     )
     INSERT INTO user_clicks SELECT user_id, day, jsonb_build_object('p', '48:' || sum(people)), NULL, sum(people) FROM tap
     GROUP BY user_id, day`,
    [JSON.stringify(taps)],
  );
  for (const file of [reportOf("€", "me-21", [kettle.asin, mug.asin], 2), reportOf("$", "me-20", [lamp.asin], 5)]) {
    await page.goto("/earnings/import");
    await page.getByLabel("Choose a ZIP, CSV or TSV file").setInputFiles(file);
    await links.button("Store these figures").click();
    await expect(page.getByRole("status").getByText("These figures count.")).toBeVisible();
  }

  /** Each fact of a page: its name and value. Of two with a name, the first. */
  const factsOn = async (path: string, known: string) => {
    await page.goto(path);
    const fact = page.locator("dl > div").filter({ hasText: known }).first();
    await expect(fact.getByRole("definition").first()).toHaveText(/\d/);
    const facts = await page
      .locator("dl > div")
      .evaluateAll((all) => all.map(({ children: [name, value] }) => [name?.textContent, value?.textContent]));
    return Object.fromEntries(facts.toReversed());
  };
  const all = await factsOn("/earnings?period=30d", "Earnings");
  const rowOf = async (asin: string, table: string) => {
    const row = page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: asin });
    await expect(row.first()).toBeVisible();
    return row.first().getByRole("cell").allInnerTexts();
  };
  const rows = new Map<string, string[]>();
  for (const { asin } of [kettle, mug, lamp]) rows.set(asin, await rowOf(asin, "What earned: Link"));
  const clicks = await factsOn("/clicks", "Taps");
  const dashboard = await factsOn("/dashboard", "Per tap");
  expect(amount(dashboard.Earnings)).toBe(amount(all.Earnings));
  expect(dashboard["Per tap"]).toBe(all["Per tap"]);
  expect(dashboard.Taps).toBe(clicks.Taps);
  const cards = new Map<string, string | null>();
  for (const code of Object.values(codes)) {
    const card = links.cards.filter({ has: page.locator(`a[href="/link/${code}"]`) });
    await expect(card).toContainText(/taps? in 30 days.*Earned /);
    cards.set(code, await card.textContent());
  }
  for (const [name, { asin }] of Object.entries({ kettle, mug, otherMug: mug, lamp })) {
    const code = codes[name] ?? "";
    const [, taps, earned] = /([\d,]+) taps? in 30 days.*?Earned ([^\d]*[\d.]+)/.exec(cards.get(code) ?? "") ?? [];
    const [earnings, perTap] = rows.get(asin) ?? [];
    const overview = await factsOn(`/link/${code}`, "Earned");
    const ofClicks = await factsOn(`/link/${code}/clicks`, "Earnings");
    expect([amount(overview.Earned), amount(ofClicks.Earnings)], name).toEqual([earned, earned]);
    expect(amount(earnings), name).toBe(earned);
    expect([overview.Taps, ofClicks.Taps], name).toEqual([taps, taps]);
    const isShared = asin === mug.asin;
    expect([overview["Per tap"], ofClicks["Per tap"]], name).toEqual(
      isShared ? [undefined, undefined] : [perTap, perTap],
    );
    expect(overview.Earned?.includes("with 1 other link"), name).toBe(isShared);
  }
  await page.goto("/clicks");
  const shown = await Promise.all([kettle, lamp].map(({ asin }) => rowOf(asin, "Top links")));
  expect(shown.map(([taps]) => taps)).toEqual(
    ["kettle", "lamp"].map((name) => /([\d,]+) taps? in/.exec(cards.get(codes[name] ?? "") ?? "")?.[1]),
  );
});

/** The first amount of a text. */
const amount = (text?: string | null) => /^[^\d]*[\d.]+/.exec(text ?? "")?.[0];
