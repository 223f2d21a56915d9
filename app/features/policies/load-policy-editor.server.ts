import type { RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { analyseRules } from '#app/engine/policy/analysis/analyse-rules.ts';
import { runExamples } from '#app/engine/policy/examples/run-examples.ts';
import { schemaWithTools } from '#app/engine/policy/inputs/input-schema.ts';
import { readToolInput } from '#app/engine/policy/inputs/input-type.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

const MOST_TOOLS = 20;

/** The draft with its faults, and the vocabulary of rules. */
export async function loadPolicyEditor({ params, context }: { params: { policy: string }; context: Readonly<RouterContextProvider> }) {
  const policy = await loadPolicyForEdit({ params, context });
  const { member, read } = context.get(memberContext);
  const tools = await read((db) => loadToolSchemas(db, member.workspace.id));
  // the whole text of all tools would be longer than anyone reads
  const actions = [...tools.keys()].filter((action) => policy.text.includes(action)).slice(0, MOST_TOOLS);
  return {
    ...policy,
    /** As the other pages call it. */
    shownName: sayShipped(context)(policy.name),
    /** Another person agrees before a version is in force. */
    asks: await read(secondPersonAgrees),
    rules: readRules(policy.text),
    workflows: await read((db) => readWorkflowNames(db, member.workspace.id)),
    results: runExamples(policy.text, policy.examples, tools),
    notes: analyseRules(policy.text).notes,
    issues: context.get(servicesContext).engine.validatePolicy(policy.text, tools),
    schema: schemaWithTools(actions, new Map(actions.map((action) => [action, readToolInput(tools.get(action) ?? null)]))).trim(),
  };
}
export type LoadedPolicyEditor = Awaited<ReturnType<typeof loadPolicyEditor>>;
