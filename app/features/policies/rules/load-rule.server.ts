import { data, type RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RuleForm } from '#app/domain/audit/policy-rule.ts';
import type { ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { type ToolField, toolFields } from '#app/engine/policy/inputs/tool-fields.ts';
import { findRule } from '#app/engine/policy/policy-rules.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

const NEW_RULE: RuleForm = {
  id: '',
  verdict: 'deny',
  reason: '',
  role: '',
  actions: [],
  tool: '',
  conditions: [],
  inputs: [],
  approvers: '',
  dueHours: '',
  deciders: '',
  group: '',
  reauthenticate: '',
  change: null,
  monitors: false,
};
const MOST_CONNECTIONS = 200;
const MOST_GROUPS = 500;

/** A tool whose fields the form shows; no fields where it is not approved, or none is chosen. */
export type ShownTool = { tool: string; fields: readonly ToolField[] };

export function toolShown(tool: string, tools: ToolSchemas): ShownTool {
  return { tool, fields: tools.has(tool) ? toolFields(tools.get(tool) ?? null) : [] };
}

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
  const tools = await read((db) => loadToolSchemas(db, member.workspace.id));
  const groups = await read((db) =>
    db
      .selectFrom('quorate.directory_groups')
      .select('display_name')
      .where('workspace_id', '=', member.workspace.id)
      .orderBy('display_name')
      .limit(MOST_GROUPS)
      .execute(),
  );
  return {
    groups: groups.map(({ display_name }) => display_name),
    policy: { id: policy.id, name: sayShipped(context)(policy.name) },
    tools: [...tools.keys()],
    /** Of the rule's own tool. */
    shown: toolShown(form.tool, tools),
    revision: policy.revision,
    isNew: params.rule === undefined,
    form,
    workflows,
    connections: connections.map(({ slug }) => slug),
  };
}
export type LoadedRule = Awaited<ReturnType<typeof loadRule>>;
