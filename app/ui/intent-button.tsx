import type { ComponentProps } from "react";
import { Button } from "#app/ui/button.tsx";

type Props = ComponentProps<typeof Button> & { intent: string };

/** It sends its form, which does what `intent` names. */
export function IntentButton({ intent, ...rest }: Props) {
  return <Button {...rest} type="submit" name="intent" value={intent} />;
}
