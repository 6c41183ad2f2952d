import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { LinkToCopy } from "#app/ui/link-to-copy.tsx";

type Props = {
  /** made just now: it is shown only this once */
  link: string | null;
  hasLink: boolean;
};

/** A link that makes whoever opens it a member; a new one ends the one before. */
export function InviteByLink({ link, hasLink }: Props) {
  return (
    <section className="grid gap-3 px-4 pt-8 md:px-0">
      <h2 className="font-semibold">A link for members</h2>
      {link ? (
        <LinkToCopy
          label="The link"
          address={link}
          hint="It is shown only now. Who opens it and joins is a member."
        />
      ) : (
        <p className="text-pretty text-muted">
          {hasLink
            ? "There is a link. A new one takes its place; the old one then leads nowhere."
            : "For people who don't follow you. Whoever has the link can join, until you end it."}
        </p>
      )}
      <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          <span className="sr-only">Who joins by it</span>
          <select name="role" className="input w-auto" defaultValue="member">
            <option value="member">Can look</option>
            <option value="contributor">Can add photos</option>
          </select>
        </label>
        <Button type="submit" name="intent" value="invite">
          {hasLink ? "New link" : "Make a link"}
        </Button>
        {hasLink && (
          <Button type="submit" name="intent" value="uninvite" look="danger">
            End the link
          </Button>
        )}
      </Form>
    </section>
  );
}
