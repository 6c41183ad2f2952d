import { z } from "zod";
import { checkedText, clientKey } from "#shared/text.inputs.ts";
import { messageProblem } from "#shared/chat.ts";

/** A new message, besides its photo. */
export const messageInput = (hasPhoto: boolean) =>
  z.object({ body: checkedText((body) => messageProblem(body, hasPhoto)), clientKey });
