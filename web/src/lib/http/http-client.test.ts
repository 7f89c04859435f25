import { focusManager, QueryObserver } from "@tanstack/react-query";
import { ERRORS } from "@tapthru/proto/errors";
import { HttpResponse } from "msw";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noReply, problem, respondOnceWith, serve } from "../../testing/serve.ts";
import { setApiAuth } from "../api-auth.ts";
import { HttpError, isNetworkFailure, isRetryable, NetworkError, request } from "./http-client.ts";
import { createQueryClient } from "./query-client.ts";

describe("request", () => {
  test("sends JSON with its content type and the credentials", async () => {
    let contentType: string | null = null;
    const sent = serve("POST /api/x", ({ headers }) => {
      contentType = headers.get("Content-Type");
      return { a: 1 };
    });
    const fetch = vi.spyOn(globalThis, "fetch");
    expect(await request("POST", "/api/x", { body: { b: 2 } })).toMatchObject({
      status: 200,
      body: { a: 1 },
    });
    expect(contentType).toBe("application/json");
    expect(fetch.mock.calls[0]?.[1]?.credentials).toBe("include");
    expect(sent).toEqual([{ b: 2 }]);
  });

  // Specification 8.1
  test.each([
    ["the body", "No luck", "404: No luck"],
    ["the status text where the body is empty", "", "404: Not Found"],
  ])("throws the status and %s", async (_case, body, message) => {
    serve("GET /api/x", () => new HttpResponse(body, { status: 404, statusText: "Not Found" }));
    const failure = request("GET", "/api/x");
    await expect(failure).rejects.toBeInstanceOf(HttpError);
    await expect(failure).rejects.toThrow(message);
  });

  test("throws a problem's title and code", async () => {
    let accept: string | null = null;
    serve("GET /api/x", ({ headers }) => {
      accept = headers.get("Accept");
      return problem("username-taken");
    });
    const error = await request("GET", "/api/x").catch((reason: HttpError) => reason);
    expect(accept).toContain("application/problem+json");
    expect(error).toMatchObject({ status: 409, code: "username-taken", text: ERRORS["username-taken"].message });
  });

  test("throws after its timeout", async () => {
    serve("GET /api/x", noReply);
    await expect(request("GET", "/api/x", { timeoutMs: 1 })).rejects.toBeInstanceOf(NetworkError);
  });

  test("inserts encoded values for the placeholders in the path", async () => {
    serve("GET /api/x/:name", ({ params }) => params.name);
    expect((await request("GET", "/api/x/:name", { params: { name: "a/b?c" } })).body).toBe("a/b?c");
  });

  test("throws a NetworkError for a lost reply, not an HttpError", async () => {
    serve("GET /api/x", () => HttpResponse.error());
    const error = await request("GET", "/api/x").catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(isNetworkFailure(new Error("because", { cause: error }))).toBe(true);
    expect(isNetworkFailure(new HttpError(503, "Unavailable"))).toBe(false);
  });
});

describe("isRetryable", () => {
  test.each([
    [new NetworkError("No reply"), true],
    [new HttpError(503, "Unavailable"), true],
    [new Error("because", { cause: new NetworkError("No reply") }), true],
    [new Error("because", { cause: new HttpError(404, "Not found") }), false],
    [new SyntaxError("No JSON"), false],
  ])("isRetryable of %s is %s", (error, expected) => {
    expect(isRetryable(error)).toBe(expected);
  });
});

describe("a 401", () => {
  function provideSession(isRenewed: boolean) {
    const renew = vi.fn(async (_isChange?: boolean) => isRenewed);
    onTestFinished(setApiAuth({ headers: async () => null, renew, keepLink: async () => {} }));
    return renew;
  }

  function respondOnceWith401() {
    serve("POST /api/x", ({ body }) => body);
    return respondOnceWith("POST /api/x", () => new HttpResponse("Log in.", { status: 401 }));
  }

  test("renews the session and repeats the request", async () => {
    const renew = provideSession(true);
    respondOnceWith401();
    expect((await request("POST", "/api/x", { body: { b: 2 } })).body).toEqual({ b: 2 });
    expect(renew).toHaveBeenCalledExactlyOnceWith(true);
  });

  test("throws a 401 if the session cannot be renewed", async () => {
    provideSession(false);
    const repliesSent = respondOnceWith401();
    await expect(request("POST", "/api/x", { body: {} })).rejects.toThrow("401: Log in.");
    expect(repliesSent()).toBe(1);
  });

  test("throws a 401 after the repeated request", async () => {
    const renew = provideSession(true);
    serve("GET /api/x", () => new HttpResponse("Log in.", { status: 401 }));
    await expect(request("GET", "/api/x")).rejects.toThrow("401: Log in.");
    expect(renew).toHaveBeenCalledExactlyOnceWith(false);
  });

  test("throws the 401 of a call that does not renew the session", async () => {
    const renew = provideSession(true);
    respondOnceWith401();
    const call = request("POST", "/api/x", { body: {}, renewsSession: false });
    await expect(call).rejects.toThrow("401: Log in.");
    expect(renew).not.toHaveBeenCalled();
  });
});

describe("a query", () => {
  test("fetches a query once, regardless of time passing, remounts and window focus", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
      focusManager.setFocused(undefined);
    });
    const requests: unknown[] = serve("GET /api/x", () => requests.length);
    const queryClient = createQueryClient();
    const observe = () => new QueryObserver(queryClient, { queryKey: ["/api/x"] });
    onTestFinished(observe().subscribe(() => {}));
    await vi.waitFor(() => expect(queryClient.getQueryData(["/api/x"])).toBe(1), { timeout: 60_000 });
    focusManager.setFocused(false);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1_000);
    focusManager.setFocused(true);
    onTestFinished(observe().subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queryClient.isFetching()).toBe(0);
    expect(requests).toHaveLength(1);
  });

  test("throws on 401 without a retry", async () => {
    const repliesSent = respondOnceWith("GET /api/x", () => new HttpResponse("Please log in first.", { status: 401 }));
    await expect(createQueryClient().fetchQuery({ queryKey: ["/api/x"] })).rejects.toThrow("401: Please log in first.");
    expect(repliesSent()).toBe(1);
  });
});
