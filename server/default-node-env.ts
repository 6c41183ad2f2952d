/*
 * React renders with its development build, more than twice as slow, unless NODE_ENV says
 * production when it is first imported. So this is imported before everything else.
 */
// oxlint-disable-next-line no-restricted-properties -- written for libraries, not read by us
process.env.NODE_ENV ||= "production";
