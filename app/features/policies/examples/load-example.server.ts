import { data, type RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { PLAIN_EXAMPLE } from '#app/domain/audit/policy-example.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

type Params = { policy: string; example: string };

/** One example of the draft for its form, by its place from 1 on, or `new`: a plain one, of the first tool that a rule names. */
export async function loadExample({ params, context }: { params: Params; context: Readonly<RouterContextProvider> }) {
  const policy = await loadPolicyForEdit({ params, context });
  const place = placeOf(params.example, policy.examples.length);
  const { member, read } = context.get(memberContext);
  const tools = [...(await read((db) => loadToolSchemas(db, member.workspace.id))).keys()];
  const named = (readRules(policy.text) ?? []).find(({ form }) => form !== null && form.tool !== '')?.form?.tool;
  return {
    policy: { id: policy.id, name: sayShipped(context)(policy.name) },
    revision: policy.revision,
    /** Null: a new one. */
    place,
    example: (place === null ? undefined : policy.examples[place]) ?? { ...PLAIN_EXAMPLE, call: named ?? PLAIN_EXAMPLE.call },
    tools,
    workflows: await read((db) => readWorkflowNames(db, member.workspace.id)),
  };
}
export type LoadedExample = Awaited<ReturnType<typeof loadExample>>;

/** The index of an example; null: a new one. Answers 404 for any other address. */
export function placeOf(named: string, many: number): number | null {
  if (named === 'new') return null;
  const place = /^[1-9]\d?$/.test(named) ? Number(named) - 1 : many;
  if (place >= many) throw data({ code: 'not_found' }, { status: 404 });
  return place;
}
