import crypto, { type Argon2Parameters } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/*
 * Hashing a password is slow on purpose, which is for the tests of passwords alone; all others sign up and in
 * by the hundred. They hash with less memory and once; what is stored names the usual cost. So what another
 * process hashed matches nothing here: such tests run apart.
 */
const { argon2 } = crypto;
const quick = (parameters: Argon2Parameters) => ({ ...parameters, memory: 64, passes: 1 });
crypto.argon2 = (algorithm, parameters, done) => argon2(algorithm, quick(parameters), done);
syncBuiltinESMExports();
