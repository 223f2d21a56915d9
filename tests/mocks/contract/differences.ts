/** Where a hosted project, which the handlers play, answers otherwise than the embedded service. Anything else is a fault of the mock. */
export type Difference = { handlers: unknown; embedded: unknown; why: string };

const failure = (status: number, code: string) => ({ failure: 'AuthApiError', status, code });

export const DIFFERENCES: Record<string, Difference> = {
  'signing up again with a confirmed address': {
    handlers: { error: 'done', identities: [], mails: 0 },
    embedded: { error: failure(429, 'over_email_send_rate_limit'), identities: undefined, mails: 0 },
    why: 'A hosted project answers with an obfuscated user (signup.go); the embedded service answers 429, which the product flattens.',
  },
  'a wrong password before the mail is confirmed': {
    handlers: failure(400, 'invalid_credentials'),
    embedded: failure(400, 'email_not_confirmed'),
    why: 'A hosted project looks at the password first (token.go), the embedded service at the confirmation; the product answers alike.',
  },
  'what an access token says': {
    handlers: {
      audience: 'authenticated',
      role: 'authenticated',
      sameEmail: true,
      sameUser: true,
      hasSession: true,
      assurance: 'aal1',
      life: 3_600,
    },
    embedded: {
      audience: 'authenticated',
      role: 'authenticated',
      sameEmail: true,
      sameUser: true,
      hasSession: true,
      assurance: undefined,
      life: 3_600,
    },
    why: 'The embedded service knows no second factor and writes no level of assurance into its tokens.',
  },
  'the code of a sign-up as type email': {
    handlers: 'done',
    embedded: failure(400, 'validation_failed'),
    why: 'The embedded service does not know the type email, which a hosted project takes for any code of a mail.',
  },
  'a refresh with a token of nobody': {
    handlers: failure(400, 'refresh_token_not_found'),
    embedded: failure(400, 'validation_failed'),
    why: 'The embedded service looks at the shape of the token first; both mean that the session is over.',
  },
  'a mail to sign in, for an address that nobody has, where a client lets it make an account': {
    handlers: { error: 'done', mails: 1 },
    embedded: { error: failure(422, 'otp_disabled'), mails: 0 },
    why: 'The embedded service would make a confirmed account of any address, so that the product lets it make none (mailed-sign-ins.ts).',
  },
  'a mail to sign in, before the account is confirmed': {
    handlers: { asked: failure(429, 'over_email_send_rate_limit'), type: 'signup', opened: failure(403, 'otp_expired') },
    embedded: { asked: 'done', type: 'recovery', opened: failure(403, 'otp_expired') },
    why: 'A hosted project confirms the sign-up first, the embedded service lets the mailbox choose the password; neither signs in.',
  },
  'two recoveries within the minute': {
    handlers: failure(429, 'over_email_send_rate_limit'),
    embedded: 'done',
    why: 'A hosted project paces mails to an account, the embedded service counts nothing; the product counts itself, for every address.',
  },
};
