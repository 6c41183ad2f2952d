import { z } from "zod";
import { checkedText, clientKey } from "#shared/text.inputs.ts";
import { messageProblem } from "#shared/chat.ts";

/** What a new message is made of, beside its picture. */
export const messageInput = (hasPicture: boolean) =>
  z.object({ body: checkedText((body) => messageProblem(body, hasPicture)), clientKey });
