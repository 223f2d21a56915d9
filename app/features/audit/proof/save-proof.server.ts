import { type ActionFunctionArgs, href } from 'react-router';
import type { z } from 'zod';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { MOST_WITNESSES, type ProofSettings } from '#app/domain/proof/proof-settings.ts';
import { COSIGNATURE, readVerifierKey } from '#app/domain/proof/verifier-key.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { configureProof } from '#app/engine/commands/workspaces/configure-proof.ts';
import { readCertificates } from '#app/engine/proof/check-stamp.ts';
import { proofSchema } from '#app/features/audit/proof/proof-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Errors = Record<string, string[]>;

/** Saves who watches the log from outside, or asks another person where that would weaken the proof. */
export async function saveProof({ request, context }: ActionFunctionArgs) {
  assertPermission(context.get(memberContext).member.roles, 'manageMembers');
  const parsed = await parseForm(request, proofSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { reason } = parsed.value;
  const read = readSettings(parsed.value);
  if ('errors' in read) return invalidForm(parsed.reply, { fieldErrors: read.errors });
  const page = href('/dashboard/audit/proof');
  try {
    const outcome = await performAsMember(context, configureProof, { proof: read.proof, reason });
    return outcome.state === 'requested' ? toAskedChange(outcome.asked) : redirectWithNotice(page, 'workspaceConfigured');
  } catch (error) {
    // nothing was changed: the page shows it as it is
    if (error instanceof AppError && error.code === 'conflict' && !('reasons' in error))
      return redirectWithNotice(page, 'workspaceConfigured');
    return refusedForm(parsed.reply, error);
  }
}

function readSettings(value: z.output<typeof proofSchema>): { proof: ProofSettings } | { errors: Errors } {
  const witnesses = readWitnesses(value.witnesses);
  const authority = readAuthority(value);
  const count = 'found' in witnesses ? witnesses.found.length : null;
  const errors: Errors = {
    ...('problem' in witnesses ? { witnesses: [witnesses.problem] } : {}),
    ...('problem' in authority ? { ca: [authority.problem] } : {}),
    ...(count !== null && value.quorum > count ? { quorum: [message('tooBig', { limit: count })] } : {}),
    ...(count !== null && count > 0 && value.quorum === 0 ? { quorum: [message('tooSmall', { limit: 1 })] } : {}),
  };
  if (Object.keys(errors).length > 0 || 'problem' in witnesses || 'problem' in authority) return { errors };
  return { proof: { tiles: value.tiles, quorum: value.quorum, witnesses: witnesses.found, authority: authority.found } };
}

/** Each line its own witness. Two of one name or key would count twice. */
function readWitnesses(text: string): { found: ProofSettings['witnesses'] } | { problem: string } {
  const found: ProofSettings['witnesses'] = [];
  const seen = new Set<string>();
  for (const [n, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [keyText = '', url = '', ...rest] = line.trim().split(/\s+/);
    const key = readVerifierKey(keyText, sha256);
    if (key === null || key.type !== COSIGNATURE || rest.length > 0 || !isAddress(url))
      return { problem: message('witnessLine', { line: n + 1 }) };
    const publicKey = Buffer.from(key.publicKey).toString('base64');
    if (seen.has(key.name) || seen.has(publicKey)) return { problem: message('witnessTwice', { line: n + 1 }) };
    seen.add(key.name).add(publicKey);
    found.push({ key: keyText, url });
  }
  return found.length > MOST_WITNESSES ? { problem: message('tooMany', { maximum: MOST_WITNESSES }) } : { found };
}

const isAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && url.length <= 500;

/** Without certificates to trust anybody could stamp. */
function readAuthority({
  authority,
  policy,
  ca,
}: z.output<typeof proofSchema>): { found: ProofSettings['authority'] } | { problem: string } {
  if (authority === '') return { found: null };
  try {
    readCertificates(ca);
  } catch {
    return { problem: message('certificates') };
  }
  return { found: { url: authority, policy: policy === '' ? null : policy, ca: ca.replaceAll('\r\n', '\n').trim() } };
}
