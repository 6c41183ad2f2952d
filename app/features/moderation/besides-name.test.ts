import { expect, test } from "vitest";
import { besidesName } from "./besides-name.ts";

const account = { id: "1", name: "Ana Brown", username: "ana", avatar: null };

test.each([
  ["Ana Brown\n@ana", ""],
  ["Ana Brown\n@ana\nI sell coins.\nAna Brown", "I sell coins.\nAna Brown"],
  ["@ana", ""],
  ["Bank of Ana\n@ana\nI sell coins.", "Bank of Ana\nI sell coins."],
  ["Ana Brown\n@the_bank", "@the_bank"],
])("a reported account shows what its name and username do not say: %j", (said, shown) => {
  expect(besidesName({ subject: "account", said, account })).toBe(shown);
});

test("a reported post that is somebody's name shows it", () => {
  expect(besidesName({ subject: "post", said: "Ana Brown", account })).toBe("Ana Brown");
});
