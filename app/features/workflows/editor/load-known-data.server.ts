import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type KnownGroup, type KnownValue, knownAt, memberAt } from '#app/domain/workflows/mappings/known-data.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';

type Sampled = KnownValue & { sample: string | null };
/** All that a step's expressions may name, with the values of the newest run that the member sees. `run`: that run; null: there is none. */
export type KnownData = { run: string | null; groups: (Omit<KnownGroup, 'values'> & { name?: string; values: Sampled[] })[] };

const SAMPLE_CHARACTERS = 120;
/** Larger outputs are not read for their samples. */
const SAMPLED_BYTES = 20_000;

export async function loadKnownData(db: Db, draft: WorkflowDraft, path: string, targets: readonly StepTarget[]): Promise<KnownData> {
  const groups = knownAt(draft.document, path, targets);
  const { rows } = await sql<{ run: Json; input: Json; steps: { [id: string]: Json } }>`
    select json_build_object('id', r.id, 'mode', r.mode, 'startedAt', r.created_at) as run, r.input, (
      select coalesce(json_object_agg(s.step_id, s.output), '{}') from quorate.steps s
      where s.run_id = r.id and s.within is null and s.item_index is null and s.status = 'success'
        and octet_length(s.output::text) <= ${SAMPLED_BYTES}) as steps
    from quorate.runs r where r.artifact_id = ${draft.id} and r.status in ('completed', 'failed') order by r.created_at desc, r.id desc limit 1`.execute(
    db,
  );
  const [newest] = rows;
  return {
    run: newest === undefined ? null : String(memberAt(newest.run, ['id'])),
    groups: groups.map((group) => ({
      ...group,
      values: group.values.map((value) => ({ ...value, sample: newest === undefined ? null : sampleOf(memberAt(newest, value.at)) })),
    })),
  };
}

function sampleOf(value: Json | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SAMPLE_CHARACTERS ? `${text.slice(0, SAMPLE_CHARACTERS)}…` : text;
}
