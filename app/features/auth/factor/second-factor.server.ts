import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { dropLostFactor } from '#app/engine/commands/account/drop-lost-factor.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;

const CODES = 10;
const CODE_BYTES = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** True: this session has shown a password only, and its owner has a factor. Only the question for that is open to it. */
export async function needsSecondFactor(context: Context, user: SessionUser): Promise<boolean> {
  if (!isOnPasswordAlone(context, user)) return false;
  const { rows } = await context
    .get(servicesContext)
    .access.asNobody((db) =>
      sql<{ owes: boolean }>`select quorate.owes_second_factor(${user.id}::uuid, ${user.sessionId}::uuid) as owes`.execute(db),
    );
  return rows[0]?.owes !== false;
}

/** The same without regard to a recovery code: true until the factor itself was shown. Its owner's credentials stay as they are. */
export async function lacksFactor(context: Context): Promise<boolean> {
  const { user } = context.get(authContext);
  if (user === null) return true;
  if (!isOnPasswordAlone(context, user)) return false;
  const { rows } = await context
    .get(servicesContext)
    .access.asNobody((db) =>
      sql<{ has: boolean }>`select quorate.lacks_factor(${user.id}::uuid, ${user.sessionId}::uuid) as has`.execute(db),
    );
  return rows[0]?.has !== false;
}

/** False: the account service's own token says that a factor was shown to it. */
export function isOnPasswordAlone(context: Context, user: SessionUser): boolean {
  const { user: present, token } = context.get(authContext);
  // A session that this very request has opened has no token here, and has shown nothing else.
  return present?.sessionId !== user.sessionId || token?.assurance !== 'aal2';
}

/**
 * Removes the authenticator of a session that came in by a recovery code, with all recovery codes, and tells its owner. False for every other
 * session.
 */
export async function giveUpLostFactor(context: Context, user: SessionUser): Promise<boolean> {
  const dropped = await performAsNobody(dropLostFactor, context.get(servicesContext), { user: user.id, session: user.sessionId });
  if (dropped) await sendFactorNotice(context, user.email, 'factorRemoved');
  return dropped;
}

/** Ten codes for who loses their authenticator, of 80 random bits each, in groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const bits = Array.from(randomBytes(CODE_BYTES), (byte) => byte.toString(2).padStart(8, '0')).join('');
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
}

/** The stored form of a code: capitals, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
    .digest();
}

/** Tells the owner of an account that its second factor changed. A failed mail rolls nothing back. */
export async function sendFactorNotice(
  context: Context,
  email: string,
  what: 'factorAdded' | 'factorRemoved' | 'passkeyAdded' | 'passkeyRemoved' | 'identityRemoved' | 'recoveryUsed',
): Promise<void> {
  const { mailer, origin, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  const words = {
    factorAdded: { subject: t('factorAddedSubject'), body: t('factorAddedBody') },
    factorRemoved: { subject: t('factorRemovedSubject'), body: t('factorRemovedBody') },
    passkeyAdded: { subject: t('passkeyAddedSubject'), body: t('passkeyAddedBody') },
    passkeyRemoved: { subject: t('passkeyRemovedSubject'), body: t('passkeyRemovedBody') },
    identityRemoved: { subject: t('identityRemovedSubject'), body: t('identityRemovedBody') },
    recoveryUsed: { subject: t('recoveryUsedSubject'), body: t('recoveryUsedBody') },
  }[what];
  const text = [words.body, '', t('factorNotYou'), `${origin}${href('/reset-password')}`, ''].join('\n');
  try {
    await mailer.send({ to: email, subject: words.subject, text });
  } catch (error) {
    log.error('the notice about a second factor could not be sent', { error });
  }
}
