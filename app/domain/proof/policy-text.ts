import type { ProofSettings } from '#app/domain/proof/proof-settings.ts';

/**
 * The settings as a policy of c2sp.org/tlog-policy, which whoever verifies pins: the key of the log, its witnesses, and how many of them are
 * needed. `key`: the verifier key of the instance.
 */
export function policyText(key: string, { quorum, witnesses }: ProofSettings): string {
  const named = witnesses.map((witness) => ({ ...witness, name: witness.key.split('+')[0] ?? '' }));
  const group = witnesses.length === 0 ? [] : [`group witnesses ${quorum} ${named.map(({ name }) => name).join(' ')}`];
  return [
    `log ${key}`,
    ...named.map(({ name, key: witnessKey, url }) => `witness ${name} ${witnessKey} ${url}`),
    ...group,
    `quorum ${witnesses.length === 0 ? 'none' : 'witnesses'}`,
    '',
  ].join('\n');
}
