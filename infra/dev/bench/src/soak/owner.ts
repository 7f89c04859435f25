import { productPages } from "@tapthru/chaos/load/creates";
import { signUpOwner } from "@tapthru/chaos/load/owner";
import type { SoakOwner } from "@tapthru/chaos/load/soak/soak-load";
import type { Testbed } from "@tapthru/chaos/testbed/testbed";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";

const LINKS = 50;

/** Signs up a user with some links. */
export async function soakOwner(testbed: Testbed): Promise<SoakOwner> {
  const owner = await signUpOwner(testbed);
  const codes: string[] = [];
  for (const url of productPages(LINKS)) {
    const response = await owner.request(generate.method, generate.path, { url });
    codes.push(GeneratedLink.parse(await response.json()).shortCode);
  }
  const { authorization, firebaseUid } = owner;
  const { publicBaseUrl: publicOrigin } = testbed.config.first;
  return { publicOrigin, cookie: owner.cookie(), authorization, firebaseUid, codes };
}
