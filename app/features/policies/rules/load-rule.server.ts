import { data, type RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RuleForm } from '#app/domain/audit/policy-rule.ts';
import { findRule } from '#app/engine/policy/policy-rules.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

const NEW_RULE: RuleForm = {
  id: '',
  verdict: 'deny',
  reason: '',
  role: '',
  actions: [],
  conditions: [],
  approvers: '',
  dueHours: '',
  monitors: false,
};
const MOST_CONNECTIONS = 200;

/** One rule of the draft for its form, or an empty one for a new rule; 404 for what only the text can show. */
export async function loadRule({
  params,
  context,
}: {
  params: { policy: string; rule?: string };
  context: Readonly<RouterContextProvider>;
}) {
  const policy = await loadPolicyForEdit({ params, context });
  const form = params.rule === undefined ? NEW_RULE : findRule(policy.text, params.rule)?.form;
  if (form === undefined || form === null) throw data({ code: 'not_found' }, { status: 404 });
  const { member, read } = context.get(memberContext);
  const workflows = await read((db) => readWorkflowNames(db, member.workspace.id));
  const connections = await read((db) =>
    db
      .selectFrom('quorate.connections')
      .select('slug')
      .where('workspace_id', '=', member.workspace.id)
      .where('deleted_at', 'is', null)
      .orderBy('slug')
      .limit(MOST_CONNECTIONS)
      .execute(),
  );
  return {
    policy: { id: policy.id, name: policy.name },
    revision: policy.revision,
    isNew: params.rule === undefined,
    form,
    workflows,
    connections: connections.map(({ slug }) => slug),
  };
}
export type LoadedRule = Awaited<ReturnType<typeof loadRule>>;
