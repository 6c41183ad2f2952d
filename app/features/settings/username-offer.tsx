import { Form, useNavigation } from "react-router";
import * as words from "#messages/settings.json";
import { rich } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";

/** To a member whose username was made from a name, and badly: shown until it is changed or kept. */
export function UsernameOffer({ username }: { username: string }) {
  const pending = useNavigation().formData?.get("intent") === "keep-username";
  return (
    <section
      aria-labelledby="username-offer"
      className="mx-4 my-4 card px-5 py-4 md:mx-auto md:max-w-column"
    >
      <h2 id="username-offer" className="font-semibold">
        {words.offerTitle}
      </h2>
      <p className="mt-1 text-pretty text-muted">
        {rich(words.offerText, { username: <bdi className="wrap-anywhere">@{username}</bdi> })}
      </p>
      <Form
        method="post"
        action="/profile"
        preventScrollReset
        className="mt-3 flex flex-wrap gap-3"
      >
        <ButtonLink to="/settings?change=username" look="primary">
          {words.offerChoose}
        </ButtonLink>
        <input type="hidden" name="intent" value="keep-username" />
        <Button type="submit" pending={pending}>
          {words.offerKeep}
        </Button>
      </Form>
    </section>
  );
}
