import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type KnownGroup, type KnownValue, knownAt, memberAt } from '#app/domain/workflows/mappings/known-data.ts';
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

export async function loadKnownData(db: Db, draft: WorkflowDraft, path: string, targets: readonly StepTarget[]): Promise<KnownData> {
  const data = await readSampleData(db, draft, path);
  return {
    from: data?.from ?? null,
    groups: knownAt(draft.document, path, targets).map((group) => ({
      ...group,
      values: group.values.map((value) => {
        const found = data === null ? undefined : memberAt(data.scope, value.at);
        return { ...value, sample: found === undefined ? null : sampleOf(found, SAMPLE_CHARACTERS) };
      }),
    })),
  };
}

/** A value in one line of at most so many characters. */
export function sampleOf(value: Json, characters: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
