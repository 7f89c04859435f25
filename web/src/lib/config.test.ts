import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { server } from "../testing/server.ts";
import { loadConfig } from "./config.ts";

const CONFIG = {
  publicBaseUrl: "https://go.example.com",
  productName: "Tapthru",
  contactEmail: "hello@example.com",
  firebase: null,
  signUp: "open",
  hasPasswordLogin: true,
  openIdConnect: null,
  hasAmazonAds: false,
  hasDomains: false,
};

const serve = (config: unknown) => server.use(http.get("/config.json", () => HttpResponse.json(config as never)));

test.each([
  ["with the built-in identity provider", CONFIG],
  ["with Firebase", { ...CONFIG, firebase: { projectId: "tapthru" } }],
])("accepts a configuration %s", async (_case, config) => {
  serve(config);
  expect(await loadConfig()).toEqual(config);
});

test.each([
  ["null", null],
  ["one without a name", { ...CONFIG, productName: undefined }],
  ["one whose Firebase settings are a text", { ...CONFIG, firebase: "tapthru" }],
])("rejects %s", async (_case, config) => {
  serve(config);
  await expect(loadConfig()).rejects.toThrow("/config.json is invalid");
});
