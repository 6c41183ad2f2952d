import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import SignUp from "#app/screens/sign-up.tsx";

/** The form as a document brings it that was refused. */
function refusedWith(problem: { code: string; message: string }): string {
  const Stub = createRoutesStub([{ id: "sign-up", path: "/signUp", Component: SignUp as never }]);
  return renderToStaticMarkup(
    <Stub
      initialEntries={["/signUp"]}
      hydrationData={{
        loaderData: { "sign-up": { mode: "open", providers: [], invitation: "" } },
        actionData: { "sign-up": { problem, typed: {} } },
      }}
    />,
  );
}

test("an email in use is said by its dialog alone, any other refusal in the form", () => {
  const closed = { code: "sign-up-closed", message: "Nobody can sign up now." };
  expect(refusedWith(closed)).toContain(closed.message);
  const inUse = { code: "email-in-use", message: "Email Already in use" };
  expect(refusedWith(inUse)).not.toContain('role="alert"');
});
