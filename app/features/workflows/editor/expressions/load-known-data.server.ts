import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type KnownGroup, type KnownValue, knownAt, memberAt, withSeen } from '#app/domain/workflows/mappings/known-data.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import { readSampleData } from '#app/engine/workflows/read-sample-scope.ts';

type Sampled = KnownValue & { sample: string | null };
/**
 * All that a step's expressions may name, with the values of the newest run that the member sees or of the first sample, and pinned outputs before
 * these. `from`: null where there is neither.
 */
export type KnownData = {
  from: 'run' | 'sample' | null;
  groups: (Omit<KnownGroup, 'values'> & { name?: string; values: Sampled[] })[];
};

const SAMPLE_CHARACTERS = 120;
/** Names that only the data shows, on one page. */
const MOST_SEEN = 100;

export async function loadKnownData(db: Db, draft: WorkflowDraft, path: string, targets: readonly StepTarget[]): Promise<KnownData> {
  const data = await readSampleData(db, draft, path);
  let room = MOST_SEEN;
  const inData = (value: KnownValue): Json | undefined => (data === null ? undefined : memberAt(data.scope, value.at));
  const sampled = (value: KnownValue): Sampled => {
    const found = inData(value);
    return { ...value, sample: found === undefined ? null : sampleOf(found, SAMPLE_CHARACTERS) };
  };
  const withData = (values: readonly KnownValue[]): Sampled[] => {
    const names = new Set(values.map(({ expression }) => expression));
    return values.flatMap((value) => {
      const found = inData(value);
      if (found === undefined) return [sampled(value)];
      const [own = value, ...inside] = withSeen(value, found);
      const added = inside.filter(({ expression }) => !names.has(expression)).slice(0, room);
      room -= added.length;
      for (const { expression } of added) names.add(expression);
      return [own, ...added].map(sampled);
    });
  };
  const groups = knownAt(draft.document, path, targets).map((group) => ({ ...group, values: withData(group.values) }));
  return { from: data?.from ?? null, groups };
}

/** A value in one line of at most so many characters. */
export function sampleOf(value: Json, characters: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
