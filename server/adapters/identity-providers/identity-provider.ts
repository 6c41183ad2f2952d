/** An account at a provider. (issuer, subject) is the key; everything else may change. */
export type ProviderIdentity = {
  issuer: string;
  subject: string;
  /** null if the provider returned none */
  email: string | null;
  /** the provider vouches that the email belongs to this person */
  emailVerified: boolean;
  firstName: string;
  secondName: string;
};

/** What identifies one sign-in when it comes back. Secrets, each 256 random bits. */
type Challenge = { state: string; nonce: string; codeVerifier: string };

/** An identity provider, whatever its protocol. Both calls throw a SignInProblem. */
export type IdentityProvider = {
  name: string;
  label: string;
  /** where people go to identify themselves */
  authorizationUrl: (challenge: Challenge, redirectUri: string) => Promise<URL>;
  /** `callback` is the redirect URI as the browser came back to it, with its query */
  identify: (callback: URL, challenge: Challenge) => Promise<ProviderIdentity>;
};
