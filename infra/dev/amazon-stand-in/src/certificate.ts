import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { generate } from "selfsigned";
import { SHORT_LINKS } from "./short-links.ts";

/** A self-signed certificate for every host of the stand-in, valid for a day. */
export async function createCertificate(): Promise<{ key: string; cert: string }> {
  const stores = Object.keys(MARKETPLACES).map((key) => `amazon.${key}`);
  const shortHosts = Object.keys(SHORT_LINKS).map((link) => link.slice(0, link.indexOf("/")));
  const others = ["media-amazon.com", "ssl-images-amazon.com", "creatorsapi.amazon", "account.amazon.com"];
  const names = new Set([...stores, ...shortHosts, ...others]);
  const { private: key, cert } = await generate([{ name: "commonName", value: "Amazon stand-in" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + 24 * 60 * 60 * 1000),
    extensions: [
      { name: "basicConstraints", cA: false },
      {
        name: "subjectAltName",
        altNames: [...names].flatMap((name) => [
          { type: 2, value: name },
          { type: 2, value: `*.${name}` },
        ]),
      },
    ],
  });
  return { key, cert };
}
