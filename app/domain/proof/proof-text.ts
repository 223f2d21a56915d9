import type { ProofSettings } from '#app/domain/proof/proof-settings.ts';

/** The settings line by line, as two of them are compared: one line a witness, and the authority's certificates as they were given. */
export function proofText({ tiles, quorum, witnesses, authority }: ProofSettings): string {
  return [
    `tiles ${tiles ? 'open' : 'closed'}`,
    `quorum ${quorum}`,
    ...witnesses.map(({ key, url }) => `witness ${key} ${url}`),
    ...(authority === null ? [] : [`authority ${authority.url} ${authority.policy ?? ''}`.trimEnd(), ...authority.ca.trim().split('\n')]),
  ].join('\n');
}
