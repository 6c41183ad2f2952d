/** Whether a run includes the longer tests: `npm run test:all`, or files chosen by words. */
export const everything = Boolean(process.env["TEST_ALL"]);
