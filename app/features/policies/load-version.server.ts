import { data, type RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { diffLines } from '#app/components/value/diff-lines.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { policyLines, policyText, readPolicyDocument } from '#app/engine/policy/author-policy.ts';
import { runExamples } from '#app/engine/policy/examples/run-examples.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { readPolicy, readPolicyVersions } from '#app/features/policies/load-policy.server.ts';

/** Author of what Quorate itself put into force. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const MOST_VERSIONS = 500;

/** A version of a policy and how its text differs from another, the one before unless told otherwise. */
export async function loadPolicyVersion({
  params,
  url,
  context,
}: {
  params: { policy: string; number: string };
  url: URL;
  context: Readonly<RouterContextProvider>;
}) {
  const { member, read } = context.get(memberContext);
  const number = Number(params.number);
  const asked = Number(url.searchParams.get('against'));
  const found = await read(async (db) => {
    const policy = await readPolicy(db, params.policy);
    if (policy === null) return null;
    const versions = await readPolicyVersions(db, policy.id, MOST_VERSIONS);
    const version = versions.find((row) => row.number === number);
    if (version === undefined) return null;
    const others = versions.filter((row) => row !== version);
    const against = others.find((row) => row.number === asked) ?? others.find((row) => (row.number ?? 0) < number);
    const documents = await db
      .selectFrom('quorate.versions')
      .where('id', 'in', against === undefined ? [version.id] : [version.id, against.id])
      .select(['id', 'document'])
      .execute();
    const documentOf = (id: string) => documents.find((row) => row.id === id)?.document;
    const own = documentOf(version.id);
    const tools = await loadToolSchemas(db, member.workspace.id);
    return { policy, version, others, against, tools, own, before: against === undefined ? null : documentOf(against.id) };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { policy, version, against, own, before } = found;
  const text = policyText(own) ?? '';
  const examples = readPolicyDocument(own)?.examples ?? [];
  return {
    policy: { id: policy.id, name: sayShipped(context)(policy.name) },
    number,
    inForce: version.id === policy.publishedVersionId && policy.status === 'active',
    hash: version.content_hash,
    at: version.created_at.toISOString(),
    /** Null: Quorate itself. Empty: someone who has left. */
    author: version.author_id === NOBODY ? null : (version.author_name ?? ''),
    text,
    examples: runExamples(text, examples, found.tools),
    against: against?.number ?? null,
    others: found.others.map((row) => row.number ?? 0),
    difference: before === null ? [] : diffLines(policyLines(before), policyLines(own)),
    /** Revision of the draft that would be written over; null: who reads may not. */
    revision: can(member.roles, 'authorPolicy') ? policy.draftRevision : null,
  };
}
export type LoadedPolicyVersion = Awaited<ReturnType<typeof loadPolicyVersion>>;
