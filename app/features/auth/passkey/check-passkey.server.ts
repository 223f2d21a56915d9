import { createHash } from 'node:crypto';
import { type ActionFunctionArgs, href } from 'react-router';
import { z } from 'zod';
import { PasskeyError } from '#app/contracts/clients/passkeys.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { type FoundPasskey, findPasskey } from '#app/engine/account/own-passkeys.ts';
import { usePasskey } from '#app/engine/commands/factors/use-passkey.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { openCeremony, type Purpose } from '#app/features/auth/passkey/ceremony.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Args = Pick<ActionFunctionArgs, 'request' | 'context'>;

/** The hidden field of forms that a passkey may answer: the sealed state, and the browser's answer as it wrote it. */
const sentSchema = z.object({ state: z.string().max(2_000), answer: z.string().max(20_000) });

/** The challenge as it is kept, once it was answered. */
export const challengeId = (challenge: string): string => createHash('sha256').update(challenge).digest('base64url');

/** The two parts of the hidden field; null for anything else. */
export function readSent(field: string): { state: string; answer: string } | null {
  try {
    return sentSchema.parse(JSON.parse(field));
  } catch {
    return null;
  }
}

/** `doubted`: its counter went back, and its owner was told; `refused`: anything else that does not hold, of which nothing is said. */
export type PasskeyCheck = { outcome: 'used'; passkey: FoundPasskey } | { outcome: 'doubted' | 'refused' };

/**
 * Whether a passkey has answered the challenge of a ceremony of this browser, once. `user`: whose it must be and which session has shown it;
 * null: whoever's it is, to sign in, for whom `hash` opens a session (embedded).
 */
export async function checkPasskey(
  args: Args,
  field: string,
  { purpose, user, about, hash = null }: { purpose: Purpose; user: SessionUser | null; about?: string; hash?: string | null },
): Promise<PasskeyCheck> {
  const services = args.context.get(servicesContext);
  const { passkeys, access, log } = services;
  const refuse = (reason: string): PasskeyCheck => {
    log.warn('a passkey was refused', { purpose, reason, user: user?.id });
    return { outcome: 'refused' };
  };
  const sent = readSent(field);
  const challenge = sent && openCeremony(args, sent.state, { purpose, user, ...(about === undefined ? {} : { about }) });
  if (sent === null || challenge === null) return refuse('not a ceremony of this browser');
  try {
    const glance = passkeys.glance(sent.answer);
    const found = await access.asNobody((db) => findPasskey(db, glance.credential));
    if (found === null) return refuse('nobody has it');
    if (found.userId !== (user?.id ?? found.userId)) return refuse('it is another person’s');
    // Who signs in says who they are by it alone: the browser names them (WebAuthn, 7.2, step 6).
    if (glance.user === null ? user === null : glance.user !== found.userId) return refuse('it names another person');
    const { counter, backedUp } = await passkeys.verify(sent.answer, challenge, found);
    const used = { passkey: found.id, counter, backedUp, challenge: challengeId(challenge), user: found.userId };
    const outcome = await performAsNobody(usePasskey, services, { ...used, session: user?.sessionId ?? null, hash });
    if (outcome === 'doubted') await tellDoubt(args, found.email);
    if (outcome === 'used') return { outcome, passkey: found };
    return outcome === 'doubted' ? { outcome } : refuse(outcome);
  } catch (error) {
    if (error instanceof PasskeyError) return refuse(error.cause instanceof Error ? error.cause.message.slice(0, 200) : 'shape');
    throw error;
  }
}

/** A failed mail rolls nothing back: the log has it, and so does the page of passkeys. */
async function tellDoubt({ context }: Args, email: string): Promise<void> {
  const { mailer, origin, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  const text = [t('passkeyDoubtedBody'), '', `${origin}${href('/dashboard/account/security/passkeys')}`, ''].join('\n');
  try {
    await mailer.send({ to: email, subject: t('passkeyDoubtedSubject'), text });
  } catch (error) {
    log.error('the notice about a passkey could not be sent', { error });
  }
}
