/** Whether a run leaves nothing to others: `npm run test:all`, or the files that words chose. */
export const everything = Boolean(process.env["TEST_ALL"]);
