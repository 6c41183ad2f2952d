import { data, type RouterContextProvider } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { appContext } from "#app/lib/context.server.ts";
import { safeReturnPath } from "#app/lib/return-path.ts";

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** The action of a form that asks for a mail. The answer is the same for every address. */
export async function requestMail(
  what: "requestReset" | "requestSignInLink",
  { request, context }: Args,
) {
  const { features, client, readForm } = context.get(appContext);
  const { email = "", returnTo } = (await readForm(request)).fields;
  try {
    await features.verification[what]({ email, client, returnTo: safeReturnPath(returnTo) });
    return data({ asked: true as const, email });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { fields, status, message } = error;
    return data({ asked: false as const, email, fields, message }, status);
  }
}
