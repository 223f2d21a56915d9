import { createHash } from 'node:crypto';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { PLAIN_EXAMPLE, type PolicyExample } from '#app/domain/audit/policy-example.ts';
import { AppError } from '#app/domain/errors.ts';
import { holdInForce, type InForce } from '#app/engine/control/in-force.ts';
import { POLICY_FORMAT, type PolicyDocument, policyDocumentSchema } from '#app/engine/policy/load-policy-sources.ts';

type Author = { workspaceId: string; userId: string };
/** The frozen document: the rules, and the examples that they must pass. */
type Authored = { text: string; examples?: readonly PolicyExample[] };

/** SHA-256 (hex) over the canonical JSON of a policy's document: what a version is known by. */
export function policyHash(document: PolicyDocument): string {
  return createHash('sha256')
    .update(canonicalJson({ ...document }))
    .digest('hex');
}

export function policyDocument(text: string, examples: readonly PolicyExample[] = []): PolicyDocument {
  // an editor in a browser sends CRLF: one text has one hash
  const document = { format: POLICY_FORMAT, text: text.replace(/\r\n?/g, '\n') } as const;
  return examples.length === 0 ? document : { ...document, examples: [...examples] };
}

/** Makes a policy that is not in force yet, with its first draft. */
export async function createPolicy(
  db: Db,
  author: Author,
  policy: { id: string; name: string; description: string } & Authored,
): Promise<void> {
  await db
    .insertInto('quorate.artifacts')
    .values({
      id: policy.id,
      workspace_id: author.workspaceId,
      kind: 'policy',
      name: policy.name,
      description: policy.description,
      owner_id: author.userId,
      draft_revision: 1,
    })
    .execute();
  await insertDraft(db, author, { ...policy, revision: 1 });
}

/**
 * Saves a new state of the draft over the one that the author saw.
 * @throws AppError conflict: someone saved in between. not_found: no such policy.
 */
export async function savePolicyDraft(
  db: Db,
  author: Author,
  draft: { id: string; seenRevision: number; name: string; description: string; now: Date } & Authored,
): Promise<{ revision: number }> {
  await holdRevision(db, draft.id, draft.seenRevision);
  const last = await db
    .selectFrom('quorate.drafts')
    .select((eb) => eb.fn.max('revision').as('revision'))
    .where('artifact_id', '=', draft.id)
    .executeTakeFirst();
  const revision = Math.max(last?.revision ?? 0, draft.seenRevision) + 1;
  await insertDraft(db, author, { ...draft, revision });
  await db
    .updateTable('quorate.artifacts')
    .set({ name: draft.name, description: draft.description, draft_revision: revision, updated_at: draft.now })
    .where('id', '=', draft.id)
    .execute();
  return { revision };
}

/**
 * Freezes a text as the next version, over the draft that the author saw, and answers what is in force and what would be with it. Nothing
 * is put into force. Who calls has validated the text.
 * @throws AppError conflict, not_found
 */
export async function freezePolicy(
  db: Db,
  author: Author,
  policy: { id: string; versionId: string; seenRevision: number; name: string; description: string; now: Date } & Authored,
): Promise<{ number: number; contentHash: string; before: InForce; after: InForce }> {
  await savePolicyDraft(db, author, policy);
  const last = await db
    .selectFrom('quorate.versions')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('artifact_id', '=', policy.id)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  const document = policyDocument(policy.text, policy.examples);
  const contentHash = policyHash(document);
  await db
    .insertInto('quorate.versions')
    .values({
      id: policy.versionId,
      workspace_id: author.workspaceId,
      artifact_id: policy.id,
      number,
      document: JSON.stringify(document),
      content_hash: contentHash,
      author_id: author.userId,
    })
    .execute();
  const { before } = await holdInForce(db, { kind: 'policy', id: policy.id });
  return { number, contentHash, before, after: { status: 'active', versionId: policy.versionId } };
}

/**
 * Holds a published policy and answers what is in force, and what would be after a pause or an activation.
 * @throws AppError conflict: it is so already, or nothing of it has been published. not_found.
 */
export async function holdPolicy(
  db: Db,
  policy: { id: string; inForce: boolean },
): Promise<{ name: string; before: InForce; after: InForce }> {
  const { name, before } = await holdInForce(db, { kind: 'policy', id: policy.id });
  const status = policy.inForce ? 'active' : 'inactive';
  if (before.status === status || before.versionId === null) throw new AppError('conflict');
  return { name, before, after: { ...before, status } };
}

/** The text of a stored document, or null for any other document. */
export function policyText(document: unknown): string | null {
  return readPolicyDocument(document)?.text ?? null;
}

/** A stored document as it is hashed; null for any other document. */
export function readPolicyDocument(document: unknown): PolicyDocument | null {
  const read = policyDocumentSchema.safeParse(document);
  return read.success ? policyDocument(read.data.text, read.data.examples) : null;
}

/** A document as people compare two: its text, and each example in a line of its own. */
export function policyLines(document: unknown): string {
  const read = readPolicyDocument(document);
  if (read === null) return '';
  const examples = (read.examples ?? []).map(({ name, expected, ...facts }) => {
    const special = Object.entries(facts).filter(([key, value]) => canonicalJson(value) !== canonicalJson(PLAIN_FACTS[key] ?? null));
    return `// ${name} → ${expected}: ${canonicalJson(Object.fromEntries(special))}`;
  });
  return [read.text, ...examples].join(examples.length === 0 ? '' : '\n');
}

const PLAIN_FACTS: Readonly<Record<string, Json>> = PLAIN_EXAMPLE;

async function holdRevision(db: Db, id: string, seenRevision: number): Promise<void> {
  const row = await db
    .selectFrom('quorate.artifacts')
    .select('draft_revision')
    .where('id', '=', id)
    .where('kind', '=', 'policy')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  if (row.draft_revision !== seenRevision) throw new AppError('conflict');
}

async function insertDraft(db: Db, author: Author, draft: { id: string; revision: number } & Authored): Promise<void> {
  await db
    .insertInto('quorate.drafts')
    .values({
      workspace_id: author.workspaceId,
      artifact_id: draft.id,
      revision: draft.revision,
      document: JSON.stringify(policyDocument(draft.text, draft.examples)),
      author_id: author.userId,
    })
    .execute();
}
