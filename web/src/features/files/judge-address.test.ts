import { expect, test } from "vitest";
import { judgeAddress } from "./judge-address.ts";

const PAGE = "https://www.amazon.com/dp/B0ZZ1Y2X3W";

test.each([
  [`${PAGE}?maas=m&ref_=aa_maas&aa_campaignid=c1&tag=anna-20`, "several", ["anna-20", "maas"]],
  [`${PAGE}?tag=anna-20&tag=bob-20`, "several", ["anna-20", "bob-20"]],
  [`${PAGE}?tag=anna-20&tag=&tag=bob-20&tag=cora-20`, "several", ["anna-20", "bob-20", "cora-20"]],
  ["https://www.amazon.de/exec/obidos/ASIN/B000FRV8Z4/anna-20?tag=berta-20", "several", ["berta-20", "anna-20"]],
  ["https://www.amazon.com/o/ASIN/B000FRV8Z4/anna-20?maas=m", "several", ["anna-20", "maas"]],
  [`https://out.example/?u=${encodeURIComponent(`${PAGE}?tag=anna-20&tag=bob-20`)}`, "several", ["anna-20"]],
  ["https://www.amazon.com/o/ASIN/B000FRV8Z4/anna-20?tag=anna-20", "sound", ["anna-20"]],
  [`${PAGE}?maas=m&ref_=aa_maas`, "attribution", ["maas"]],
  [`${PAGE}?AssociateTag=anna-20`, "misplaced", ["anna-20"]],
  ["https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&ASIN.1=B0ZZ1Y2X3W", "sound", ["anna-21"]],
  [`${PAGE}?tag=anna-20&ascsubtag=maas&linkCode=ll1`, "sound", ["anna-20"]],
])("%s is %s", (address, reason, tags) => {
  const judgement = judgeAddress(address);
  expect(judgement?.reason).toBe(reason);
  expect(judgement?.tags).toEqual(tags);
});
