import { createHash } from 'node:crypto';
import { data, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage, sayShipped } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { policyText } from '#app/engine/policy/author-policy.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { readPolicy } from '#app/features/policies/load-policy.server.ts';
import { readReplayChanges, readReplays, type ShownChange } from '#app/features/policies/replay/read-replay.server.ts';

const PAGE = 50;
type Context = Readonly<RouterContextProvider>;

/** The replays of a policy, and what one of them, the latest if the address names none, would have changed. */
export async function loadReplay({ params, url, context }: { params: { policy: string }; url: URL; context: Context }) {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'seeAllRuns')) throw data({ code: 'forbidden' }, { status: 403 });
  const found = await read(async (db) => {
    const policy = await readPolicy(db, params.policy);
    return policy === null ? null : { policy, ...(await readShown(db, policy.id, url.searchParams)) };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { policy, replays, shown, changes, next } = found;
  const text = policyText(policy.draft ?? policy.document) ?? '';
  return {
    id: policy.id,
    name: sayShipped(context)(policy.name),
    isDraft: policy.draft !== null,
    isValid: readPolicyText(text).issues.length === 0,
    /** The text of the policy has changed since this replay. */
    isOther: shown !== null && shown.digest !== createHash('sha256').update(text).digest('hex'),
    replays: replays.map(({ id, requestedAt, status }) => ({ id, requestedAt, status })),
    shown,
    mayCancel: shown !== null && (shown.requestedBy.id === member.userId || member.roles.includes('admin')),
    changes: inReadersLanguage(context, changes),
    next,
    url: `${url.pathname}${url.search}`,
  };
}
export type LoadedReplay = Awaited<ReturnType<typeof loadReplay>>;

async function readShown(db: Db, policyId: string, params: URLSearchParams) {
  const replays = await readReplays(db, policyId);
  const wanted = params.get('of');
  const shown = (wanted === null ? replays[0] : replays.find(({ id }) => id === wanted)) ?? null;
  const none = { changes: [], next: null };
  const page = shown === null ? none : await readReplayChanges(db, { replay: shown.id, after: params.get('after'), size: PAGE });
  return { replays, shown, ...page };
}

const COLUMNS: readonly CsvColumn<ShownChange>[] = [
  ['decision_id', ({ id }) => id],
  ['run', ({ run }) => run.number],
  ['run_id', ({ run }) => run.id],
  ['workflow', ({ run }) => run.workflow],
  ['subject', ({ run }) => plainSubject(run.subject)],
  ['started_at', ({ at }) => at],
  ['step', ({ path }) => path],
  ['call', ({ capability }) => capability],
  ['was', ({ was }) => was],
  ['would_be', ({ would }) => would],
  [
    'money',
    ({ money }) =>
      Object.entries(money)
        .map(([currency, amount]) => `${amount} ${currency}`)
        .join('; '),
  ],
];

/** The changes that a replay has found, as CSV. `?of=` names the replay. */
export async function downloadReplay(context: Context, url: URL): Promise<Response> {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'seeAllRuns')) throw new AppError('forbidden');
  const { changes } = await read(async (db) => {
    const replay = url.searchParams.get('of') ?? '';
    const known = await db.selectFrom('quorate.policy_replays').select('id').where('id', '=', replay).executeTakeFirst();
    if (known === undefined) throw new AppError('not_found');
    return readReplayChanges(db, { replay: known.id, after: null, size: FILE.size });
  });
  return csvResponse('replay', writeListCsv(COLUMNS, changes, []));
}
