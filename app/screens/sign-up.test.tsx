import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import SignUp from "#app/screens/sign-up.tsx";

const refused = (code: string, message: string) => {
  const Page = createRoutesStub([{ id: "signUp", path: "/signUp", Component: SignUp as never }]);
  const loaderData = { signUp: { mode: "open", providers: [], invitation: "", follow: null } };
  const actionData = { signUp: { form: "", typed: {}, problem: { code, message } } };
  return renderToString(
    <Page initialEntries={["/signUp"]} hydrationData={{ loaderData, actionData }} />,
  );
};

test("an email in use shows its dialog, and no error in the form besides", () => {
  expect(refused("too-many-attempts", "Please wait.")).toContain("Please wait.</p>");
  expect(refused("email-in-use", "Email Already in use")).not.toContain('role="alert"');
});
