import { Form, useNavigation } from "react-router";
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
        Choose your own username
      </h2>
      <p className="mt-1 text-pretty text-muted">
        Yours is <bdi className="wrap-anywhere">@{username}</bdi>, which we made up when you joined.
        It's part of your links, and the old one will still lead to you.
      </p>
      <Form
        method="post"
        action="/profile"
        preventScrollReset
        className="mt-3 flex flex-wrap gap-3"
      >
        <ButtonLink to="/settings?change=username" look="primary">
          Choose one
        </ButtonLink>
        <input type="hidden" name="intent" value="keep-username" />
        <Button type="submit" pending={pending}>
          Keep it
        </Button>
      </Form>
    </section>
  );
}
