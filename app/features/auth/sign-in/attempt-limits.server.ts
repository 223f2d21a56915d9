import type { Access } from '#app/contracts/access.ts';
import { SIGN_IN_ACCOUNT_LIMIT, SIGN_IN_FROM_HERE_LIMIT } from '#app/domain/people/sign-in-limits.ts';
import { giveBackLimit, type Limit, takeLimit } from '#app/engine/limits/take-limit.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * The embedded auth service counts nothing, the hosted one sees one address for everyone: so we count. A wrong password counts three times:
 * narrowly for the account from this address, so that its owner elsewhere can still get in; for the account at all; and for the address
 * over all accounts.
 */
const LIMITS = {
  signInFromHere: SIGN_IN_FROM_HERE_LIMIT,
  signInAccount: SIGN_IN_ACCOUNT_LIMIT,
  signInAddress: { max: 100, windowSeconds: 15 * MINUTE },
  signUpAddress: { max: 100, windowSeconds: HOUR },
  /** One request of a kind and address a minute: the service would answer a second one differently where there is an account. */
  mailPace: { max: 1, windowSeconds: MINUTE },
  /** Mails of any kind that one may cause to one address. */
  mailAccount: { max: 5, windowSeconds: 15 * MINUTE },
  mailAddress: { max: 100, windowSeconds: HOUR },
  /** Wrong tries of 6-digit codes: a code lives an hour, so after these it is as good as void. */
  codeAccount: { max: 6, windowSeconds: HOUR },
  codeAddress: { max: 60, windowSeconds: HOUR },
  /**
   * The password asked for again, by someone who is signed in: narrowly from here, so that whoever tries elsewhere keeps nobody from
   * deciding.
   */
  passwordAgainFromHere: { max: 5, windowSeconds: 15 * MINUTE },
  passwordAgain: { max: 20, windowSeconds: 15 * MINUTE },
  passwordAgainAddress: { max: 50, windowSeconds: 15 * MINUTE },
  /** Codes of an authenticator: three of a million are right at a time. */
  factorAccount: { max: 10, windowSeconds: 15 * MINUTE },
  factorAddress: { max: 60, windowSeconds: HOUR },
  /** Challenges that browsers are asked to answer; a page of sign-in asks for one by itself. */
  passkeyAddress: { max: 300, windowSeconds: 15 * MINUTE },
  recoveryCodeAccount: { max: 6, windowSeconds: HOUR },
  /** Sign-ins by a provider that are begun, and questions where one is. */
  companyAddress: { max: 60, windowSeconds: 15 * MINUTE },
  /** Answers of SAML providers: many people of a company may come from one address. */
  companyAnswer: { max: 600, windowSeconds: 15 * MINUTE },
  /** A provider ends many sessions at once, from one address. */
  companyLogout: { max: 600, windowSeconds: 15 * MINUTE },
  linkAddress: { max: 100, windowSeconds: 15 * MINUTE },
} as const satisfies Record<string, Omit<Limit, 'name'>>;
export type LimitName = keyof typeof LIMITS;
export type Attempt = { limit: LimitName; subject: string };

/**
 * Counts one attempt against each limit, narrow ones first, up to the first that refuses: what is not made does not count further, or
 * whoever is refused at one address would use up the account's own limit and keep its owner out. Answers 0 when all allow it, else the
 * seconds to wait. A count that fails throws: an attempt that cannot be counted is not made.
 */
export async function takeAttempts(access: Access, attempts: readonly Attempt[]): Promise<number> {
  return access.asNobody(async (db) => {
    for (const { limit, subject } of attempts) {
      const wait = await takeLimit(db, { name: limit, ...LIMITS[limit] }, subject);
      if (wait > 0) return wait;
    }
    return 0;
  });
}

/** Takes back the count of an attempt that turned out right, so that only wrong ones add up. */
export async function giveBackAttempts(access: Access, attempts: readonly Attempt[]): Promise<void> {
  await access.asNobody(async (db) => {
    for (const { limit, subject } of attempts) await giveBackLimit(db, { name: limit, ...LIMITS[limit] }, subject);
  });
}
