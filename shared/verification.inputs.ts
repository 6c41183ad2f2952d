import { z } from "zod";
import { signUpInput } from "#shared/identity.ts";

const { email, password } = signUpInput.shape;

export const emailInput = z.object({ email });
export const newPasswordInput = z.object({ password });
