import { CREATE, RUN, steady } from "./load.js";
import { createLink } from "./steps/create-link.js";

// Creates 50 (RATE) links a second, and visits each one directly afterwards.
export const options = {
  scenarios: { create: steady(50) },
  thresholds: { ...CREATE, ...RUN },
};

export default createLink;
