import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { readBreakGlass } from '#app/engine/control/break-glass.ts';
import { circumstancesSchema } from '#app/engine/policy/decision-request.ts';
import { decisionPath } from '#app/features/reasoning/decision-path.ts';
import { readRules } from '#app/features/reasoning/load-decisions.server.ts';

/** Facts that a policy is asked with, in the order in which they are shown; what an older row lacks is left out. */
const contextSchema = z.object({
  mode: z.string().optional(),
  roles: z.array(z.string()).optional(),
  connection: z.string().optional(),
  connectionId: z.string().optional(),
  capability: z.string().optional(),
  capabilityState: z.string().optional(),
  personalDataAllowed: z.boolean().optional(),
  builtin: z.boolean().optional(),
  personalData: z.array(z.string()).optional(),
  risk: z.string().optional(),
  findings: z.number().optional(),
  circumstances: circumstancesSchema.nullish(),
  approvalId: z.string().nullish(),
});

/** One decision: the request, the rules that answered, the result, and its proof. */
export async function loadDecision({ params, context }: { params: { decision: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.decision).data;
  const found = await read(async (db) => {
    if (id === undefined) return null;
    const row = await db
      .selectFrom('quorate.decisions as d')
      .innerJoin('quorate.runs as r', 'r.id', 'd.run_id')
      .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
      )
      .leftJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'd.run_id').onRef('s.path', '=', 'd.step_path'))
      .where('d.id', '=', id)
      .where('d.workspace_id', '=', member.workspace.id)
      .selectAll('d')
      .select([
        'r.journal_hash',
        'r.artifact_id',
        'a.name as workflow',
        'm.name as initiator',
        's.name as step',
        's.status as step_status',
        's.input as step_input',
        's.protocol',
      ])
      .executeTakeFirst();
    if (row === undefined) return null;
    const closing = can(member.roles, 'readAuditLog')
      ? await db
          .selectFrom('quorate.audit_events')
          .where('workspace_id', '=', member.workspace.id)
          .where('resource_kind', '=', 'run')
          .where('resource_id', '=', row.run_id)
          .where('action', 'in', ['run.completed', 'run.failed', 'run.cancelled'])
          .select('id')
          .executeTakeFirst()
      : undefined;
    const all = await db
      .selectFrom('quorate.decisions')
      .where('run_id', '=', row.run_id)
      .where('step_path', '=', row.step_path)
      .orderBy('decided_at')
      .select(['id', 'verdict', 'attempt', 'decided_at'])
      .execute();
    return { row, closing, all, glass: await readBreakGlass(db, row.decided_at, row.decided_at) };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { row, closing, all } = found;
  const rules = readRules(row.rules);
  return inReadersLanguage(context, {
    id: row.id,
    verdict: row.verdict,
    reason: row.reason,
    action: row.action,
    at: row.decided_at.toISOString(),
    attempt: row.attempt,
    actionDigest: row.action_digest,
    policyVersion: row.policy_version,
    rules,
    path: decisionPath(row.verdict, rules),
    context: contextSchema.safeParse(row.context).data ?? {},
    run: { id: row.run_id, initiator: row.initiator, closed: row.journal_hash !== null },
    workflow: { id: row.artifact_id, name: row.workflow },
    step: {
      path: row.step_path,
      name: row.step ?? row.step_path,
      status: row.step_status,
      input: row.step_input === null ? null : valueCutter().json(row.step_input),
    },
    breakGlass: { changes: found.glass, mayRead: can(member.roles, 'readChanges') },
    seesLog: can(member.roles, 'readAuditLog'),
    closingEventId: closing?.id ?? null,
    others: all
      .filter((other) => other.id !== row.id)
      .map((other) => ({ id: other.id, verdict: other.verdict, at: other.decided_at.toISOString() })),
  });
}
export type LoadedDecision = Awaited<ReturnType<typeof loadDecision>>;
