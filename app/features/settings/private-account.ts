import * as words from "#messages/settings.json";
import { counted } from "#app/lib/text/messages.tsx";

/** As features.privacy.get has it, and how many people asked to follow. */
export type PrivacyNow = { isPrivate: boolean; posts: number; followers: number; waiting: number };

const toPrivate = ({ posts, followers }: PrivacyNow): string =>
  followers === 0
    ? counted(words.onlyYouWillSee, posts)
    : counted(words.onlyFollowersWillSee, followers, {
        posts: posts === 0 ? words.yourPosts : counted(words.somePosts, posts),
      });

const toPublic = ({ posts, waiting }: PrivacyNow): string =>
  [
    posts === 0 ? words.everyoneWillSeeNewPosts : counted(words.everyoneWillSee, posts),
    waiting === 0 ? words.followWithoutAsking : counted(words.waitingAccepted, waiting),
  ].join(" ");

/** What will happen, before it does. */
export function privacyQuestion(now: PrivacyNow) {
  return now.isPrivate
    ? { title: words.makePublicQuestion, text: toPublic(now), ok: words.makePublic }
    : { title: words.makePrivateQuestion, text: toPrivate(now), ok: words.makePrivate };
}
