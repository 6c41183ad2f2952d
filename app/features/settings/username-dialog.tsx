import type { ComponentProps } from "react";
import { yourUsername } from "#messages/settings.json";
import { ChangeDialog } from "#app/features/settings/change-dialog.tsx";
import { UsernameForm } from "#app/features/settings/username-form.tsx";

type Props = Omit<ComponentProps<typeof UsernameForm>, "feedback">;

export function UsernameDialog(props: Props) {
  return (
    <ChangeDialog title={yourUsername} back="/settings">
      {(feedback) => <UsernameForm {...props} feedback={feedback} />}
    </ChangeDialog>
  );
}
