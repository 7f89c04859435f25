import * as z from "zod/mini";
import { isMarketplace, type Marketplace } from "../rules/amazon/marketplaces.ts";

export const marketplace = z.custom<Marketplace>(
  (value) => typeof value === "string" && isMarketplace(value),
);
