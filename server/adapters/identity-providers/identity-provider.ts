/** Who somebody is at a provider. (issuer, subject) is the key; everything else may change. */
export type ProviderIdentity = {
  issuer: string;
  subject: string;
  /** null when the provider did not tell one */
  email: string | null;
  /** the provider vouches that the email is this person's */
  emailVerified: boolean;
  firstName: string;
  secondName: string;
};

/** What one sign-in is recognised by when it comes back. Secrets, each 256 random bits. */
type Challenge = { state: string; nonce: string; codeVerifier: string };

/** An identity provider, whatever it speaks. Both calls throw a SignInProblem. */
export type IdentityProvider = {
  name: string;
  label: string;
  /** where people go to say who they are */
  authorizationUrl: (challenge: Challenge, redirectUri: string) => Promise<URL>;
  /** `callback` is the redirect URI as the browser came back to it, with its query */
  identify: (callback: URL, challenge: Challenge) => Promise<ProviderIdentity>;
};
