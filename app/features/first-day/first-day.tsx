import { share } from "#messages/common.json";
import * as words from "#messages/first-day.json";
import { post } from "#messages/shell.json";
import { InviteStep } from "#app/features/first-day/invite-step.tsx";
import type { readFirstDay } from "#app/features/first-day/read-first-day.server.ts";
import { PlaceAddress, SharePlaceButton } from "#app/features/first-day/share-place.tsx";
import { Step } from "#app/features/first-day/step.tsx";
import { useRootData } from "#app/lib/page/root-data.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  day: NonNullable<Awaited<ReturnType<typeof readFirstDay>>>;
  /** how many the member has */
  posts: number;
};

/** Above the feed, while a place has fewer than three members: what to do first. */
export function FirstDay({ day: { alone, place, asksPassword }, posts }: Props) {
  return (
    <section
      aria-labelledby="first-day"
      className="mx-4 my-4 overflow-hidden card md:mx-0 md:mt-0 md:mb-6"
    >
      <div className="airmail h-2" />
      <div className="px-5 pt-4 pb-1">
        <div className="flex items-start justify-between gap-4 pb-2">
          <div>
            <h2 id="first-day" className="font-wordmark text-4xl text-balance italic">
              {alone ? words.firstOne : words.justTwo}
            </h2>
            <p className="mt-2 text-muted">{place ? words.threeThings : words.twoThings}</p>
          </div>
          <OwnStamp />
        </div>
        <ol>
          <Step
            number={1}
            done={posts > 0}
            title={alone ? words.sendFirst : words.sendYourFirst}
            hint={posts > 0 ? words.onYourProfile : words.photoOrWords}
          >
            {posts === 0 && (
              <ButtonLink to="/upload" look="primary" className="shrink-0">
                {post}
              </ButtonLink>
            )}
          </Step>
          {place ? (
            <>
              <Step
                number={2}
                done={place.named}
                title={words.nameYourPlace}
                hint={
                  place.named
                    ? rich(words.called, { name: <bdi>{place.name}</bdi> })
                    : words.unnamed
                }
              >
                {!place.named && (
                  <ButtonLink to="/operator/place" className="shrink-0">
                    {words.nameIt}
                  </ButtonLink>
                )}
              </Step>
              <InviteStep number={3} place={place} asksPassword={asksPassword} />
            </>
          ) : (
            <Step number={2} done={false} title={words.sharePlace} hint={<PlaceAddress />}>
              <SharePlaceButton>{share}</SharePlaceButton>
            </Step>
          )}
        </ol>
      </div>
    </section>
  );
}

/** The member's own picture, where a postcard has its stamp. */
function OwnStamp() {
  const viewer = useRootData()?.viewer;
  if (!viewer) return null;
  return (
    <span className="block shrink-0 rotate-3 [filter:drop-shadow(0_3px_3px_rgb(0_0_0/0.12))]">
      <span className="block h-15 w-13 bg-white perforated">
        <Avatar name={viewer.name} image={viewer.avatar} size="stamp" />
      </span>
    </span>
  );
}
