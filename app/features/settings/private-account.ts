import { formatCount } from "#app/lib/text/counts.ts";

/** As features.privacy.get has it, and how many people asked to follow. */
export type PrivacyNow = { isPrivate: boolean; posts: number; followers: number; waiting: number };

const toPrivate = ({ posts, followers }: PrivacyNow): string =>
  followers === 0
    ? `No one follows you yet, so only you will see your ${posts === 1 ? "post" : "posts"}. Others have to ask to follow you.`
    : `${posts === 0 ? "Your posts" : formatCount(posts, "post")} will be visible to your ${formatCount(followers, "follower")} only. New followers have to ask.`;

const toPublic = ({ posts, waiting }: PrivacyNow): string =>
  [
    posts === 0
      ? "Everyone will see what you post for everyone."
      : `Everyone will see your ${formatCount(posts, "post")}.`,
    waiting === 0
      ? "People will follow you without asking."
      : `${waiting === 1 ? "1 person" : `${waiting} people`} waiting to follow you will be accepted.`,
  ].join(" ");

/** What will happen, before it does. */
export function privacyQuestion(now: PrivacyNow) {
  return now.isPrivate
    ? { title: "Make your account public?", text: toPublic(now), ok: "Make public" }
    : { title: "Make your account private?", text: toPrivate(now), ok: "Make private" };
}
