import { z } from 'zod';

/** Nodes of one file that are read; the largest public ones have some 200. */
const MAX_NODES = 1_000;

const nodeSchema = z.object({
  name: z.string().min(1).max(500),
  type: z.string().min(1).max(200),
  typeVersion: z.number().catch(1),
  parameters: z.record(z.string(), z.unknown()).catch({}),
  disabled: z.boolean().catch(false),
  onError: z.string().catch(''),
  continueOnFail: z.boolean().catch(false),
  retryOnFail: z.boolean().catch(false),
  maxTries: z.number().catch(3),
});
export type N8nNode = z.infer<typeof nodeSchema>;

const targetSchema = z.object({ node: z.string() });
const outputsSchema = z.array(z.array(targetSchema).nullable());
const fileSchema = z.object({
  name: z.string().max(500).catch(''),
  nodes: z.array(nodeSchema).max(MAX_NODES),
  connections: z.record(z.string(), z.record(z.string(), z.unknown())).catch({}),
});

/** The nodes of an n8n workflow by name, and where each of their outputs leads. */
export type N8nGraph = {
  name: string;
  nodes: ReadonlyMap<string, N8nNode>;
  /** By output: a condition has one for each answer. */
  outputs: (name: string) => readonly (readonly string[])[];
  /** Nodes that serve another one: its model, its memory, its tools. */
  attached: ReadonlySet<string>;
};

/** Whether JSON has the shape of a workflow of n8n: nodes with types, and no format of ours. */
export const looksLikeN8n = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'nodes' in json && Array.isArray(json.nodes) && !('format' in json);

/** @see https://docs.n8n.io/workflows/export-import/ Null: no workflow of n8n. */
export function readN8nGraph(json: unknown): N8nGraph | null {
  const file = fileSchema.safeParse(json);
  if (!file.success) return null;
  const nodes = new Map(file.data.nodes.map((node) => [node.name, node]));
  const outputs = new Map<string, string[][]>();
  const attached = new Set<string>();
  for (const [name, byKind] of Object.entries(file.data.connections)) {
    for (const [kind, wired] of Object.entries(byKind)) {
      const parsed = outputsSchema.safeParse(wired);
      if (!parsed.success || !nodes.has(name)) continue;
      if (kind !== 'main') attached.add(name);
      else
        outputs.set(
          name,
          parsed.data.map((targets) => [...new Set((targets ?? []).map(({ node }) => node))].filter((to) => nodes.has(to))),
        );
    }
  }
  return { name: file.data.name, nodes, outputs: (name) => outputs.get(name) ?? [], attached };
}
