import { Form } from "react-router";
import * as words from "#messages/albums.json";
import { IntentButton } from "#app/ui/intent-button.tsx";
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
      <h2 className="font-semibold">{words.linkForMembers}</h2>
      {link ? (
        <LinkToCopy label={words.theLink} address={link} hint={words.shownOnlyNow} />
      ) : (
        <p className="text-pretty text-muted">{hasLink ? words.thereIsALink : words.forOthers}</p>
      )}
      <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          <span className="sr-only">{words.whoJoinsByIt}</span>
          <select name="role" className="input w-auto appearance-auto" defaultValue="member">
            <option value="member">{words.canLook}</option>
            <option value="contributor">{words.canAddPhotos}</option>
          </select>
        </label>
        <IntentButton intent="invite">{hasLink ? words.newLink : words.makeALink}</IntentButton>
        {hasLink && (
          <IntentButton intent="uninvite" look="danger">
            {words.endTheLink}
          </IntentButton>
        )}
      </Form>
    </section>
  );
}
