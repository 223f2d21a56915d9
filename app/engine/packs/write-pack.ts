import { createHash } from 'node:crypto';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { PACK_SAMPLE } from '#app/domain/audit/pack-records.ts';
import type { LogIdentity } from '#app/engine/audit/evidence.ts';
import type { Read } from '#app/engine/packs/batch.ts';
import { type ControlWords, oscalOf } from '#app/engine/packs/oscal.ts';
import { type PackProofs, readProofs } from '#app/engine/packs/pack-proofs.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import { readRecords } from '#app/engine/packs/read-records.ts';
import { type PackSummary, Summariser } from '#app/engine/packs/summarise.ts';

export type PackFile = {
  read: Read;
  scope: PackScope;
  log: LogIdentity;
  words: ControlWords;
  origin: string;
  /** Signs the digest of the pack. */
  sign(digest: string): string;
};

/**
 * The signed pack as text, piece by piece: evidence (quorate-evidence/1) of all that was drawn, with a member `pack`, which holds every
 * record of the population and what was counted and drawn from them. `pack.recordsDigest` covers the records, `pack.digest` everything else
 * in `pack` and so the records too, and `pack.signature` signs that digest with the log's key. Only the records of one batch are in memory.
 */
export async function* writePack({ read, scope, log, words, origin, sign }: PackFile): AsyncGenerator<string> {
  const { framework, from, until } = scope.question;
  yield `{"format":"quorate-evidence/1","subject":${canonicalJson({ kind: 'pack', id: `${framework} ${from}/${until}` })},"pack":{"records":[`;
  const summariser = new Summariser(scope);
  let separator = '\n';
  for await (const batch of readRecords(read, scope)) {
    let text = '';
    for (const record of batch) {
      text += `${separator}${summariser.add(record)}`;
      separator = ',\n';
    }
    yield text;
  }
  const summary = summariser.end();
  const proofs = await read((db) => readProofs(db, log, scope, summary));
  const claims = claimsOf({ scope, summary, proofs, words, origin });
  const digest = createHash('sha256').update(canonicalJson(claims)).digest('hex');
  const members = Object.entries({ ...claims, digest, signature: sign(digest) });
  yield '\n]';
  for (const [name, value] of members) yield `,\n${JSON.stringify(name)}:${canonicalJson(value)}`;
  const { log: key, checkpoints, events } = proofs.evidence;
  yield `},\n"log":${JSON.stringify(key)},\n"checkpoints":${JSON.stringify(checkpoints)},\n"events":[`;
  for (const [n, event] of events.entries()) yield `${n === 0 ? '\n' : ',\n'}${JSON.stringify(event)}`;
  yield '\n]}\n';
}

type Claimed = Pick<PackFile, 'scope' | 'words' | 'origin'> & { summary: PackSummary; proofs: PackProofs };

/** Everything that `pack.digest` covers. */
function claimsOf({ scope, summary, proofs, words, origin }: Claimed): { [key: string]: Json } {
  const { question, workspace, law, at, size } = scope;
  return {
    format: 'quorate-pack/1',
    workspace: { id: workspace.id, name: workspace.name },
    framework: { id: question.framework, name: law.name, citation: law.citation, validity: law.validity },
    period: { from: question.from, until: question.until },
    madeAt: at.toISOString(),
    logSize: size,
    seed: question.seed,
    sampleSize: PACK_SAMPLE,
    recordCount: summary.records,
    recordsDigest: summary.digest,
    controls: summary.controls.map(({ id, tally, sample }) => {
      const { provision = '', owners = [], attested = null } = scope.controls.find((one) => one.id === id) ?? {};
      return { id, ...words(id), provision, owners, attested, counts: { ...tally }, sample: sample.map((record) => record.id) };
    }),
    assessments: scope.assessments.map(({ by: _, at: saved, ...assessment }) => ({ ...assessment, at: saved.toISOString() })),
    decisions: proofs.decisions.map(({ record, run, entry }) => ({ record, run, entry })),
    oscal: oscalOf({ scope, summary, words, origin }),
  };
}
