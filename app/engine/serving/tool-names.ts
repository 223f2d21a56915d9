import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

/** The extra tool that returns the state of a run. */
export const GET_RUN = 'get_run';
export const RESERVED_TOOLS: readonly string[] = [GET_RUN];
/** Finds tools of a gateway that has more of them than one page of its list holds. */
export const SEARCH_TOOLS = 'search_tools';
/** Names that no tool of a gateway has. */
export const RESERVED_GATEWAY_TOOLS: readonly string[] = [GET_RUN, SEARCH_TOOLS];

/** Room for the mark that tells two of one name apart, within the 64 characters that clients take. */
const MOST_CHARACTERS = 50;

/**
 * A name for each workflow in the characters that MCP allows, made from its own name. Where that leaves nothing, or two have the same, the end
 * of the id stands behind it. `reserved` is taken already.
 */
export function nameTools(workflows: readonly ServedWorkflow[], reserved: readonly string[]): Map<string, ServedWorkflow> {
  const plain = (workflow: ServedWorkflow) =>
    workflow.name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, MOST_CHARACTERS);
  const counts = new Map<string, number>(reserved.map((name) => [name, 1]));
  for (const workflow of workflows) counts.set(plain(workflow), (counts.get(plain(workflow)) ?? 0) + 1);
  return new Map(
    workflows.map((workflow) => {
      const name = plain(workflow);
      const mark = workflow.id.slice(-12);
      if (name === '') return [`workflow_${mark}`, workflow];
      return [counts.get(name) === 1 ? name : `${name}_${mark}`, workflow];
    }),
  );
}
