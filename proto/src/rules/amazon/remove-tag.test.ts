import { expect, it } from "vitest";
import { removeTag } from "./remove-tag.ts";

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

it.each([
  [`${PAGE}?tag=me-21`, PAGE],
  [`${PAGE}?th=1&tag=me-21&psc=1`, `${PAGE}?th=1&psc=1`],
  [`${PAGE}?linkCode=ll1&tag=me-21&linkId=abc&ascsubtag=x&th=1`, `${PAGE}?th=1`],
  [`${PAGE}?%74ag=me-21&TAG=you-21&AssociateTag=me-21`, PAGE],
  [`${PAGE}?th=1;tag=me-21`, PAGE],
  [`${PAGE}?maas=maas_adg_1&aa_campaignid=2&ref_=aa_maas&tag=maas`, PAGE],
  ["https://www.amazon.de/s?k=a%20b'c&tag=me-21", "https://www.amazon.de/s?k=a%20b'c"],
  ["https://www.amazon.com/exec/obidos/ASIN/B0ZZ1Y2X3W/me-20", "https://www.amazon.com/dp/B0ZZ1Y2X3W"],
  [PAGE, PAGE],
])("%s opens without a tag", (tagged, plain) => expect(removeTag(tagged)).toBe(plain));
