import { expect, test } from "vitest";
import { messageFiles, readMessages } from "./read.ts";

/** The specification's texts, letter by letter, in its order. */
const literals = [
  "Home",
  "Search",
  "Saved",
  "Profile",
  "Settings",
  "Sign In",
  "Sign Out",
  "Post",
  "Success",
  "Signed Out Successfully",
  "OK",
  "Please Sign In To Access This section",
  "Following",
  "Follow",
  "Leave a comment",
  "post",
  "Delete",
  "Chats",
  "Edit Profile",
  "BIO",
  "First name",
  "Second name",
  "Bio",
  "Save Changes",
  "Click to upload",
  "Write a Caption",
  "Uploading",
  "Save",
  "UnSave",
  "Unfollow this account?",
  "Yes",
  "cancel",
  "Please select a profile image",
  "required*",
  "Invalid email address",
  "Invalid URL",
  "Wrong password or email",
  "Error",
  "Email Already in use",
  "Signed In Successfully",
  "Account created Successfully",
  "Saved Changes",
  "Cancel",
];

test("the specification's texts are messages of English, or sentences of a refusal, as they stand there", () => {
  const messages = new Set(
    messageFiles().flatMap((file) => Object.values(readMessages("en", file))),
  );
  const refusals = readMessages("de", "refusals.json");
  const missing = literals.filter((text) => !messages.has(text) && !(text in refusals));
  expect(missing).toEqual([]);
});
