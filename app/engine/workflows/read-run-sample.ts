import type { Db } from '#app/contracts/db.ts';
import { sampleValueSchema, type WorkflowSample } from '#app/domain/workflows/workflow.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_CHARACTERS = 100_000;

/** The values of a run's input, as a sample holds them, without very long ones; null where no such run of the workflow can be seen. */
export async function readRunSample(db: Db, workflow: string, run: string): Promise<WorkflowSample['input'] | null> {
  if (!UUID.test(run)) return null;
  const row = await db
    .selectFrom('quorate.runs')
    .where('id', '=', run)
    .where('artifact_id', '=', workflow)
    .select('input')
    .executeTakeFirst();
  if (row === undefined) return null;
  const input = typeof row.input === 'object' && row.input !== null && !Array.isArray(row.input) ? row.input : {};
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const kept = sampleValueSchema.safeParse(value);
      return kept.success && JSON.stringify(value).length <= MOST_CHARACTERS ? [[name, kept.data]] : [];
    }),
  );
}
