import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { action } from "#app/screens/edit-profile.tsx";
import { appContext } from "#app/lib/context.server.ts";

test("a visitor is asked to sign in before their avatar is read", async () => {
  const context = new RouterContextProvider();
  const readForm = vi.fn();
  context.set(appContext, { viewer: null, readForm } as never);
  const request = new Request("http://localhost/profile/edit", { method: "POST" });
  await expect(action({ request, params: {}, context })).rejects.toMatchObject({
    code: "sign-in-required",
  });
  expect(readForm).not.toHaveBeenCalled();
});
